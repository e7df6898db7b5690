/**
 * What the index of a repository tells of: repositories within it, wherever they lie (submodules, and what was added like one), and
 * what it holds of keys and credentials, which then everybody has who has the repository.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { secretBecause } from "../../shared/envFile";
import { askGit, type GitProgram, versionOf } from "../askGit";
import { gitWithoutPrograms } from "../disarmedGit";
import { bytesOf } from "./quietRead";

interface GitIndex {
  /** absolute */
  index: string;
  version: string;
  folders: readonly string[];
  /** of keys and credentials: path → what Git calls its content */
  keys: ReadonlyMap<string, string>;
}

/** with more of them it is no workspace to look through before each command */
const MAX_REPOSITORIES = 100;

export class Gitlinks {
  private readonly known = new Map<string, GitIndex>();

  /** @returns each `.git` that is there; an index is read again once it was written */
  async of(roots: readonly string[], git: GitProgram): Promise<string[]> {
    const folders = new Set(roots);
    for (const folder of folders) {
      if (folders.size > MAX_REPOSITORIES) break;
      for (const inner of (await this.within(folder, git)).folders) folders.add(inner);
    }
    return [...folders].map(folder => join(folder, ".git")).filter(existsSync);
  }

  /** A repository has the file's very bytes, as `of` saw it last: whoever does not know them cannot make it say so. */
  holds(path: string): boolean {
    for (const { keys } of this.known.values()) {
      const name = keys.get(path);
      if (name !== undefined) return name === nameOf(path, name.length === 64 ? "sha256" : "sha1");
    }
    return false;
  }

  private async within(folder: string, git: GitProgram): Promise<GitIndex> {
    const known = this.known.get(folder);
    if (known && known.version === versionOf(known.index)) return known;
    const index = resolve(folder, ((await ask(folder, git, ["rev-parse", "--git-path", "index"])) ?? "").trimEnd());
    // Before it is read: what is written meanwhile is read the next time.
    const version = versionOf(index);
    const listed = await ask(folder, git, ["ls-files", "--stage", "-z"]);
    // An index that cannot be read now was perhaps made so: what it told of counts.
    const folders: string[] = listed === undefined && known ? [...known.folders] : [];
    const keys = new Map<string, string>();
    for (const [, mode = "", name = "", path = ""] of (listed ?? "").matchAll(
      /(?:^|\0)(\d+) ([0-9a-f]+) 0\t([^\0]+)/g,
    )) {
      if (mode === "160000") folders.push(resolve(folder, path));
      else if (secretBecause(path.toLowerCase().split("/")) !== undefined) keys.set(resolve(folder, path), name);
    }
    const found = { index, version, folders, keys };
    this.known.set(folder, found);
    return found;
  }
}

const MAX_KEY = 1024 * 1024;

function nameOf(path: string, kind: "sha1" | "sha256"): string | undefined {
  const bytes = bytesOf(path, MAX_KEY);
  return bytes && createHash(kind).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** @returns undefined where the folder is in no repository: below it are no links of one */
const ask = (cwd: string, { program, env }: GitProgram, args: readonly string[]): Promise<string | undefined> =>
  askGit(cwd, { program, env: { ...env, ...gitWithoutPrograms(env) } }, args);
