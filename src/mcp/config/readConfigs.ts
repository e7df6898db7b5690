/** Finds the configured servers. A user's wins over a workspace's of the same name: what a rule allows must not be another program. */
import { parseSettingsFile } from "../../core/ground/text/json";
import { isMissing } from "../../node/errno";
import { readHead } from "../../node/readRegular";
import { defined, some } from "../../shared/defined";
import { isObject } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { madeByCommand } from "../../shared/obeyedFiles";
import type { ServerSandbox } from "./agreedLaunch";
import { type ConfigOrigin, type ConfigPlaces, configFiles } from "./places";
import type { ConfigProblem, InputSpec, ServerConfig } from "./serverConfig";
import { cleanName, parseInput, parseServer } from "./serverConfig";

type Configs = { servers: ServerConfig[]; problems: ConfigProblem[] };

const MAX_BYTES = 1_000_000;
const MAX_SERVERS = 200;

/** Never rejects: what cannot be read is a problem. @param sandbox knows which files a command in it may have made: these do not count */
export async function readConfigs(places: ConfigPlaces, sandbox?: ServerSandbox): Promise<Configs> {
  const read = await Promise.all(configFiles(places).map(origin => readConfig(origin, sandbox)));
  const found: Configs = { servers: [], problems: read.flatMap(({ problems }) => problems) };
  for (const server of read.flatMap(({ servers }) => servers)) {
    const same = found.servers.find(({ name }) => name === server.name);
    const why = same
      ? t("{0} has a server of this name, which is used. Give one of them another name", same.origin.shown)
      : t("there are more than {0} servers", MAX_SERVERS);
    if (same || found.servers.length >= MAX_SERVERS)
      found.problems.push({ file: server.origin.shown, entry: server.name, why });
    else found.servers.push(server);
  }
  return found;
}

async function readConfig(origin: ConfigOrigin, sandbox?: ServerSandbox): Promise<Configs> {
  const problem = (why: string, entry?: string): Configs => ({
    servers: [],
    problems: [{ file: origin.shown, ...defined({ entry }), why }],
  });
  let text: string;
  try {
    // A repository may have a link to a device there, or a pipe.
    const read = await readHead(origin.file, MAX_BYTES);
    if (!read) return problem(t("it is no regular file"));
    if (read.size > MAX_BYTES) return problem(t("it is larger than 1 MB"));
    text = read.bytes.toString("utf8");
  } catch (error) {
    return isMissing(error) ? { servers: [], problems: [] } : problem(t("it cannot be read ({0})", String(error)));
  }
  if (origin.level === "workspace" && sandbox?.mayHaveMade(origin.file, { text, cutBytes: 0 }))
    return problem(madeByCommand());
  const parsed = parseSettingsFile(text);
  return parsed.problem === undefined ? readContent(parsed.value, origin, problem) : problem(parsed.problem);
}

function readContent(content: unknown, origin: ConfigOrigin, problem: (why: string, entry?: string) => Configs) {
  if (!isObject(content)) return problem(t("it is not an object"));
  const found: Configs = { servers: [], problems: [] };
  const complain = (why: string, entry?: string) => found.problems.push(...problem(why, entry).problems);
  const inputs = new Map<string, InputSpec>();
  for (const entry of Array.isArray(content.inputs) ? content.inputs : []) {
    const input = parseInput(entry);
    if (typeof input === "string") complain(input, "inputs");
    else inputs.set(input.id, input);
  }
  for (const [name, entry] of entriesOf(content, complain)) {
    const parsed = parseServer(entry);
    if (typeof parsed === "string") {
      complain(parsed, name);
      continue;
    }
    const { launch, notes, off } = parsed;
    if (off) continue;
    found.servers.push({ name: cleanName(name), origin, launch, inputs, ...defined({ notes: some(notes) }) });
  }
  return found;
}

const SECTIONS = ["servers", "mcpServers"];

/** VS Code's file has `servers`, the portable one `mcpServers`. */
function entriesOf(content: Record<string, unknown>, complain: (why: string) => void): [string, unknown][] {
  const known = SECTIONS.filter(section => content[section] !== undefined && content[section] !== null);
  if (known.length === 0 && Object.values(content).some(isObject))
    complain(t("it has neither `servers` nor `mcpServers`"));
  return known.flatMap(section => {
    const entries = content[section];
    if (isObject(entries)) return Object.entries(entries);
    complain(t("`{0}` is not an object", section));
    return [];
  });
}
