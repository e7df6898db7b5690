/** Which calls a hook is for: names with `|` and `*`. Pure, linear: the pattern may be a repository's. */

export type Matcher = (names: readonly string[]) => boolean;

/** @returns a sentence where it cannot be read */
export function readMatcher(text: string): Matcher | string {
  const plain = text.trim().replace(/^\^/, "").replace(/\$$/, "");
  const inner = /^\(([^()]*)\)$/.exec(plain)?.[1] ?? plain;
  if (inner === "" || inner === "*" || inner === ".*") return () => true;
  const parts = inner.split("|").map(part => part.trim().replaceAll(".*", "*"));
  const odd = parts.find(part => !/^[\p{L}\p{N}_:*.-]+$/u.test(part));
  if (odd !== undefined || parts.length > 200)
    return `The matcher "${text.slice(0, 100)}" cannot be read: names with | between them and * in them can.`;
  return names => parts.some(part => names.some(name => fits(part.split("*"), name)));
}

/** @param pieces what stands between the stars */
function fits(pieces: readonly string[], name: string): boolean {
  const [first = "", ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** A tool's name, and the name that a server's tool has for other agents: `db:query` → `mcp__db__query`. */
export function toolNames(name: string): string[] {
  const [, server, tool] = /^([^:]+):(.+)$/.exec(name) ?? [];
  if (server === undefined || tool === undefined) return [name];
  const plain = (text: string) => text.replace(/[^A-Za-z0-9_-]/g, "_");
  return [name, `mcp__${plain(server)}__${plain(tool)}`];
}
