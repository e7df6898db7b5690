/**
 * What this process was started with stays readable for every command of the same user (`/proc/$PPID/environ`), also once
 * `process.env` has it no more. Starting anew without the keys would cost the start's time, and the first process would stay.
 */
import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";

/** Of `/proc/self/stat`, counted behind the name: where in memory the environment begins. */
const ENV_START = 47;

/**
 * Linux: the values of these variables go from the block that other processes can read; `process.env` keeps them. Elsewhere
 * nothing is done: macOS and Windows let no program write there without native code.
 * @returns the names of those that are still readable
 */
export function concealVariables(isSecret: (name: string) => boolean): string[] {
  const secret = Object.keys(process.env).filter(name => isSecret(name) && process.env[name]);
  if (secret.length === 0) return [];
  if (process.platform !== "linux") return secret;
  try {
    // Set anew, it has a place of its own; the one it came in is not needed any more.
    for (const name of secret) process.env[name] = String(process.env[name]);
    blank(isSecret);
    return secret.filter(name => readable().includes(`\0${name}=${process.env[name]}\0`));
  } catch {
    // no /proc, or one that is not to be written: a container that forbids it
    return secret;
  }
}

const readable = () => `\0${readFileSync("/proc/self/environ", "utf8")}`;

function blank(isSecret: (name: string) => boolean): void {
  const block = readFileSync("/proc/self/environ");
  const stat = readFileSync("/proc/self/stat", "latin1");
  const start = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[ENV_START]);
  const memory = openSync("/proc/self/mem", "r+");
  try {
    const found = Buffer.alloc(block.length);
    readSync(memory, found, 0, found.length, start);
    // Anything but the same bytes there: it is not what it was taken for.
    if (!found.equals(block)) return;
    for (let at = 0; at < block.length; ) {
      const end = block.indexOf(0, at);
      const sign = block.indexOf("=", at);
      if (end < 0) return;
      if (sign > at && sign < end && isSecret(block.toString("utf8", at, sign)))
        writeSync(memory, Buffer.alloc(end - sign - 1), 0, end - sign - 1, start + sign + 1);
      at = end + 1;
    }
  } finally {
    closeSync(memory);
  }
}
