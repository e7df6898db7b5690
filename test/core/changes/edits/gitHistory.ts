/** The history of this very project, where it is at hand: a clone that is not shallow. */
import { execFileSync } from "node:child_process";
import { root } from "../../../../scripts/lib/install.mjs";
import type { Revision } from "./codeHistory";

const git = (args: string[], input = "") =>
  execFileSync("git", args, { cwd: root, input, maxBuffer: 500e6, stdio: ["pipe", "pipe", "ignore"] });

/**
 * Files that commits changed, the oldest `count` of them: the same whatever is committed later. None where there is no history.
 */
export function gitHistory(count: number): Revision[] {
  try {
    if (git(["rev-parse", "--is-shallow-repository"]).toString().trim() !== "false") return [];
    const args = [
      "log",
      "--reverse",
      "--raw",
      "--no-abbrev",
      "--no-renames",
      "--no-merges",
      "--format=",
      "--diff-filter=M",
    ];
    const listed = git([...args, "--", "*.ts", "*.tsx", "*.mjs", "*.md", "*.css"]).toString();
    const changes = [...listed.matchAll(/^:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) M\t(.+)$/gm)].slice(0, count);
    const blobs = readBlobs(changes.flatMap(([, before = "", after = ""]) => [before, after]));
    return changes.map(([, before = "", after = "", path = ""]) => ({
      ...{ path, before: blobs.get(before) ?? "", after: blobs.get(after) ?? "" },
    }));
  } catch {
    // no git, or no repository: there is nothing to replay
    return [];
  }
}

function readBlobs(names: readonly string[]): Map<string, string> {
  const out = git(["cat-file", "--batch"], `${names.join("\n")}\n`);
  const blobs = new Map<string, string>();
  for (let at = 0; at < out.length; ) {
    const end = out.indexOf("\n", at);
    const [name = "", , size = "0"] = out.toString("utf8", at, end).split(" ");
    blobs.set(name, out.toString("utf8", end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return blobs;
}
