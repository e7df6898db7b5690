/** Code in Markdown: fences and spans between backticks. Pure, linear. */

/** UTF-16 offsets */
interface Span {
  start: number;
  end: number;
}

/** In order. */
export function codeSpans(text: string): Span[] {
  const spans: Span[] = [];
  let fence: { mark: string; start: number } | undefined;
  let prose = 0;
  for (const match of text.matchAll(/^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*(`{3,}|~{3,})([^\n]*)(?:\n|$)/gm)) {
    const [whole, mark = "", info = ""] = match;
    const end = match.index + whole.length;
    if (!fence) {
      if (mark.startsWith("`") && info.includes("`")) continue;
      addInline(spans, text, prose, match.index);
      fence = { mark, start: match.index };
    } else if (mark[0] === fence.mark[0] && mark.length >= fence.mark.length && info.trim() === "") {
      spans.push({ start: fence.start, end });
      fence = undefined;
      prose = end;
    }
  }
  if (fence) spans.push({ start: fence.start, end: text.length });
  else addInline(spans, text, prose, text.length);
  return spans;
}

/** A run of backticks and the next one of the same length, in the same paragraph. */
function addInline(spans: Span[], text: string, from: number, to: number): void {
  for (const paragraph of text.slice(from, to).matchAll(/(?:[^\n]+(?:\n|$))+/g)) {
    const runs = [...paragraph[0].matchAll(/`+/g)].map(run => ({ at: run.index, length: run[0].length }));
    const next = nextOfSameLength(runs.map(run => run.length));
    for (let at = 0; at < runs.length; at++) {
      const closing = next[at];
      const [open, close] = [runs[at], closing === undefined ? undefined : runs[closing]];
      if (!open || !close || closing === undefined) continue;
      const start = from + paragraph.index;
      spans.push({ start: start + open.at, end: start + close.at + close.length });
      at = closing;
    }
  }
}

function nextOfSameLength(lengths: readonly number[]): (number | undefined)[] {
  const seen = new Map<number, number>();
  const next: (number | undefined)[] = new Array(lengths.length).fill(undefined);
  for (let at = lengths.length - 1; at >= 0; at--) {
    const length = lengths[at] ?? 0;
    next[at] = seen.get(length);
    seen.set(length, at);
  }
  return next;
}
