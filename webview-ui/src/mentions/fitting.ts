/** How many chips stand in the rows there are for them. Pure. */

const ROWS = 3;
/** Between two of them, px: `.mention-chips` has it too. */
const GAP = 4;

/**
 * @param widths of the chips in their order, px
 * @param moreWidth how wide the button is that stands for the others, if so many are shown
 * @param total of all chips, where `widths` are of the first ones alone
 */
export function fitting(
  widths: readonly number[],
  { available, total, moreWidth }: { available: number; total: number; moreWidth(shown: number): number },
): number {
  if (total === widths.length && rowsOf(widths, available) <= ROWS) return total;
  let shown = Math.min(widths.length, total - 1);
  while (shown > 0 && rowsOf([...widths.slice(0, shown), moreWidth(shown)], available) > ROWS) shown--;
  return shown;
}

function rowsOf(widths: readonly number[], available: number): number {
  let [rows, used] = [0, 0];
  for (const width of widths) {
    const isNew = rows === 0 || used + GAP + width > available;
    if (isNew) rows += 1;
    used = isNew ? width : used + GAP + width;
  }
  return rows;
}
