/** The name that a tool has on the wire: pure, so that a call of long ago has the same one. */

/** Every provider takes it. */
const PLAIN = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_NAME = 64;

/**
 * `mcp__server__tool`; where that is not the name letter for letter, or would be too long, with a hash of it behind. The same
 * name always has the same one.
 */
export function wireName(name: string): string {
  if (PLAIN.test(name)) return name;
  const at = name.indexOf(":");
  const parts = at < 0 ? [name] : [name.slice(0, at), name.slice(at + 1)];
  const readable = ["mcp", ...parts].map(part => part.replace(/[^a-zA-Z0-9_-]/g, "_")).join("__");
  const isExact = parts.length === 2 && parts.every(isSimple) && readable.length <= MAX_NAME;
  const hash = `_${fnv64(name)}`;
  return isExact ? readable : readable.slice(0, MAX_NAME - hash.length) + hash;
}

/** No part of the name looks like a separator or a hash. */
const isSimple = (part: string): boolean =>
  /^[a-zA-Z0-9-](?:[a-zA-Z0-9_-]*[a-zA-Z0-9-])?$/.test(part) && !part.includes("__") && !/_[0-9a-f]{16}$/.test(part);

/** FNV-1a, 64 bits in hex: tells texts apart, guards nothing. */
export function fnv64(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}
