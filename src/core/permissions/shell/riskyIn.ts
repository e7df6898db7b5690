/** The one of them that a word holds. @param isWordy options are whole words after one dash */
export function riskyIn(value: string, risky: ReadonlySet<string>, isWordy: boolean): string | undefined {
  if (!value.startsWith("-") || value === "-") return risky.has(value) ? value : undefined;
  const dashed = isWordy && value.startsWith("--") ? value.slice(1) : value;
  const bare = dashed.replace(/=.*/s, "");
  if (risky.has(bare)) return bare;
  // `--out` is `--output` to many programs
  if (bare.startsWith("--")) return bare.length < 3 ? undefined : [...risky].find(each => each.startsWith(bare));
  if (isWordy)
    return [...risky].find(
      each => each === `-${bare}` || bare.startsWith(`${each}:`) || (each === "-J" && bare.startsWith(each)),
    );
  for (const letter of bare.slice(1)) if (risky.has(`-${letter}`)) return `-${letter}`;
  return undefined;
}
