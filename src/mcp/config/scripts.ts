/** Files of the workspace that a server's command may start: an agreement to the command is one to what they are. */

import type { NamedScript } from "../../core/ground/ports";
import { startedBy } from "../../core/permissions/starts/commands";
import { startedIn } from "../../core/permissions/starts/contents";
import { withSlashes } from "../../node/paths";
import { StartedFiles } from "../../node/startedFiles";
import { shellQuoted } from "../../shared/shellQuoted";
import type { ProcessLaunch, ServerConfig } from "./serverConfig";
import { knownVariables, type VariableSources } from "./variables";

/** Of a command with more nobody could look for all of them before each start. */
const MAX_WORDS = 2_000;

export class ServerScripts {
  private readonly files = new StartedFiles({ failed: () => undefined, countsData: false });

  /** @param folders those that are open */
  constructor(
    private readonly environment: VariableSources["environment"],
    private readonly folders: () => readonly string[],
  ) {}

  /** Each as its path in the workspace with its hash; none for a server of the user's own. Never rejects. */
  async of({ launch, origin }: ServerConfig): Promise<readonly string[]> {
    const { folder, level } = origin;
    if (launch.type !== "stdio" || level !== "workspace" || folder === undefined) return [];
    const known = (text: string) => knownVariables(text, folder, this.environment);
    const found = await this.files.of(folder, this.folders(), wordsOf(launch, folder, known), startedIn);
    // Its hash is none that somebody could agree to for good.
    if (typeof found === "string") return [`${TOO_MUCH}${found}`];
    const all: [string, string][] = JSON.parse(found.fingerprint);
    return all.map(([, hash], at) => `${found.names[at]} ${hash}`);
  }
}

const TOO_MUCH = "!";

/** Why nobody can agree to it: what it may start is more than can be looked at. undefined: somebody can. */
export const tooMuch = (scripts: readonly string[]): string | undefined =>
  scripts.find(script => script.startsWith(TOO_MUCH))?.slice(TOO_MUCH.length);

/** It has so many words that what they name could not be agreed to. */
export const isTooLong = (launch: ProcessLaunch): boolean => wordsOf(launch, "/", text => text).length > MAX_WORDS;

/** @param script as `of` gives it */
export const scriptName = (script: string): string => script.replace(/ (?:all of it: )?[\da-f:]+$/, "");

/** As a shell would be given it, where it starts and in the workspace's folder. */
function wordsOf(launch: ProcessLaunch, folder: string, known: (text: string) => string): NamedScript[] {
  const { command, args, env, cwd } = launch;
  const variables = Object.entries(env).filter(([name]) => /^[A-Za-z_]\w*$/.test(name));
  const line = [
    ...variables.map(([name, value]) => `${name}=${shellQuoted(known(value))}`),
    ...[command, ...args].map(word => shellQuoted(known(word))),
  ].join(" ");
  const entered = cwd === undefined ? [] : [`cd ${shellQuoted(withSlashes(known(cwd)))} && ${line}`];
  return startedBy([line, ...entered], withSlashes(folder));
}
