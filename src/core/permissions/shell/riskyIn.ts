/** Those of them that a word holds. @param isWordy options are whole words after one dash */
export function riskyIn(value: string, risky: ReadonlySet<string>, isWordy: boolean): string[] {
  if (!value.startsWith("-") || value === "-") return risky.has(value) ? [value] : [];
  const dashed = isWordy && value.startsWith("--") ? value.slice(1) : value;
  const bare = dashed.replace(/=.*/s, "");
  if (risky.has(bare)) return [bare];
  // `--out` is `--output` to many programs
  if (bare.startsWith("--")) return bare.length < 3 ? [] : [...risky].filter(each => each.startsWith(bare)).slice(0, 1);
  if (isWordy)
    return [...risky]
      .filter(each => each === `-${bare}` || bare.startsWith(`${each}:`) || (each === "-J" && bare.startsWith(each)))
      .slice(0, 1);
  return [...bare.slice(1)].map(letter => `-${letter}`).filter(each => risky.has(each));
}
