/** Scripts of the workspace that a server's command names: an agreement to the command is one to what they are. */
import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { realpath } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { PathCache } from "../../node/disk";
import { isWithin, withSlashes } from "../../node/paths";
import { readRegular } from "../../node/readRegular";
import type { ServerConfig } from "./serverConfig";
import { plainVariables } from "./variables";

/** Of a larger one, when it was written last stands for what is in it. */
const MAX_BYTES = 8_000_000;
/** By its name a script; else what may be started, or says by what. A database beside it changes as it likes. */
const SCRIPT = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|sh|bash|zsh|fish|ps1|cmd|bat|jar)$/i;

export class ServerScripts {
  private readonly hashes = new PathCache<string | undefined>(undefined, () => undefined, true);

  /** Its path in the workspace and the hash of each, a line each; none for a server of the user's own. Never rejects. */
  async of({ launch, origin }: ServerConfig): Promise<readonly string[]> {
    const { folder, level } = origin;
    if (launch.type !== "stdio" || level !== "workspace" || folder === undefined) return [];
    const root = await realpath(folder).catch(() => folder);
    const start = resolve(root, plainVariables(launch.cwd ?? "", folder));
    const words = [launch.command, ...launch.args].map(word => plainVariables(word.replace(/^--?[\w-]+=/, ""), folder));
    const places = new Set(words.flatMap(word => [resolve(start, word), resolve(root, word)]));
    const found = await Promise.all([...places].map(place => this.look(place, root)));
    return [...new Set(found.flat())].sort();
  }

  private async look(named: string, root: string): Promise<string[]> {
    const path = await realpath(named).catch(() => undefined);
    const inside = (place: string) => isWithin(withSlashes(root), withSlashes(place));
    // A link that the workspace has is its own, wherever it leads.
    if (path === undefined || !(inside(path) || inside(named))) return [];
    const hash = await this.hashes.get(path, stats => hashOf(path, stats));
    return hash === undefined ? [] : [`${withSlashes(relative(root, named))} ${hash}`];
  }
}

/** @param script as `of` gives it */
export const scriptName = (script: string): string => script.slice(0, script.lastIndexOf(" "));

/** undefined: it is no script */
async function hashOf(path: string, stats: BigIntStats): Promise<string | undefined> {
  if (!stats.isFile()) return undefined;
  const isProgram = SCRIPT.test(path) || (stats.mode & 0o111n) !== 0n;
  const bytes = await readRegular(path, MAX_BYTES);
  if (!bytes) return isProgram ? [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(":") : undefined;
  if (!isProgram && !bytes.subarray(0, 2).equals(Buffer.from("#!"))) return undefined;
  return createHash("sha256").update(bytes).digest("hex");
}
