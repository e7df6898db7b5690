/** Names that somebody may have meant. */

/** At most 5 of the candidates, the nearest first; none where nothing resembles it. Pure. */
export function nearestNames(wanted: string, candidates: readonly string[]): string[] {
  const target = wanted.toLowerCase();
  return candidates
    .map(name => ({ name, distance: nameDistance(target, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(2, target.length / 3))
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name, "en"))
    .slice(0, 5)
    .map(({ name }) => name);
}

/** The field of a file that a written one may be a slip of: as long, and with the same beginning. */
export function slippedField(written: string, known: readonly string[]): string | undefined {
  const alike = (name: string) => name[0] === written[0] && Math.abs(name.length - written.length) <= MAX_SLIP;
  return nearestNames(
    written,
    known.filter(name => name !== written && alike(name)),
  )[0];
}
const MAX_SLIP = 2;

function nameDistance(wanted: string, name: string): number {
  if (wanted === name) return 0;
  const [stem, other] = [fileStem(wanted), fileStem(name)];
  if (stem === other) return 0.5;
  if (stem.length > 2 && other.length > 2 && (other.includes(stem) || stem.includes(other))) return 1.5;
  return levenshtein(wanted.slice(0, 100), name.slice(0, 100));
}

const fileStem = (name: string) => name.replace(/(?<=.)\.[^.]*$/, "");

/** Characters to add, take away or replace to make one from the other. */
function levenshtein(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
