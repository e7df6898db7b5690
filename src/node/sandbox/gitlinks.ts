/** Repositories within others that the index of these tells of, wherever they lie: submodules, and what was added like one. */
import { execFile } from "node:child_process";
import { existsSync, lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gitWithoutPrograms } from "../disarmedGit";

interface Git {
  program: string;
  env: NodeJS.ProcessEnv;
}

interface Known {
  /** absolute */
  index: string;
  version: string;
  folders: readonly string[];
}

/** with more of them it is no workspace to look through before each command */
const MAX_REPOSITORIES = 100;
/** ms; bytes */
const LIMITS = { timeout: 10_000, maxBuffer: 64 * 1024 * 1024 };
const run = promisify(execFile);

export class Gitlinks {
  private readonly known = new Map<string, Known>();

  /** @returns each `.git` that is there; an index is read again once it was written */
  async of(roots: readonly string[], git: Git): Promise<string[]> {
    const folders = new Set(roots);
    for (const folder of folders) {
      if (folders.size > MAX_REPOSITORIES) break;
      for (const inner of await this.within(folder, git)) folders.add(inner);
    }
    return [...folders].map(folder => join(folder, ".git")).filter(existsSync);
  }

  private async within(folder: string, git: Git): Promise<readonly string[]> {
    const known = this.known.get(folder);
    if (known && known.version === versionOf(known.index)) return known.folders;
    const index = resolve(folder, (await ask(folder, git, ["rev-parse", "--git-path", "index"])).trimEnd());
    // Before it is read: what is written meanwhile is read the next time.
    const version = versionOf(index);
    const listed = await ask(folder, git, ["ls-files", "--stage", "-z"]);
    const paths = [...listed.matchAll(/(?:^|\0)160000 [0-9a-f]+ \d\t([^\0]+)/g)].map(([, inner = ""]) => inner);
    const folders = paths.map(inner => resolve(folder, inner));
    this.known.set(folder, { index, version, folders });
    return folders;
  }
}

/** "": there is none */
function versionOf(index: string): string {
  try {
    const { ino, size, ctimeMs } = lstatSync(index);
    return `${ino} ${size} ${ctimeMs}`;
  } catch {
    return "";
  }
}

/** @returns "" where the folder is in no repository: below it are no links of one */
async function ask(cwd: string, { program, env }: Git, args: readonly string[]): Promise<string> {
  try {
    const options = { ...LIMITS, cwd, env: { ...env, ...gitWithoutPrograms(env) } };
    return (await run(program, args, options)).stdout;
  } catch {
    return "";
  }
}
