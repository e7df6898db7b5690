/** Sockets of programs on this machine that have a path: who reaches one may have its program do what it likes. */
import { lstatSync, readFileSync } from "node:fs";

/** As of now, for Linux; those of other networks (containers) are not known. */
export function socketPaths(): string[] {
  try {
    const lines = readFileSync("/proc/net/unix", "utf8").split("\n");
    // "address: references protocol flags type state inode path"
    const paths = lines.map(line => /^(?:\S+\s+){7}(\/.+)$/.exec(line)?.[1]);
    return [...new Set(paths)].filter(path => path !== undefined).filter(isSocket);
  } catch {
    return [];
  }
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket();
  } catch {
    return false;
  }
}
