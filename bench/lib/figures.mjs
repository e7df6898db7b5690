/** Figures of a list of samples, and how they are printed. */

/** @param {number[]} samples @param {number} p 0..1 */
export function percentile(samples, p) {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN;
}

export const median = samples => percentile(samples, 0.5);

/** `name  value` in columns; a missed aim is said. */
export function row(name, value, { unit = "ms", aim, note = "", digits = 1 } = {}) {
  const shown = `${value.toFixed(digits)}${unit ? ` ${unit}` : ""}`;
  const verdict = aim === undefined ? "" : `aim ≤ ${aim}${unit ? ` ${unit}` : ""}: ${value <= aim ? "met" : "MISSED"}`;
  console.log(`  ${name.padEnd(52)} ${shown.padStart(12)}   ${verdict}${note ? `  ${note}` : ""}`);
}

export function title(text) {
  console.log(`\n${text}`);
}
