/** Finds the servers that are configured. Each broken entry is named; the others count. */
import { parseSettingsFile } from "../../core/text/json";
import { readHead } from "../../node/readRegular";
import { type ConfigOrigin, type ConfigPlaces, configFiles } from "./places";
import { isTooLong } from "./scripts";
import {
  type ConfigProblem,
  cleanName,
  type InputSpec,
  parseInput,
  parseServer,
  type ServerConfig,
} from "./serverConfig";

interface Configs {
  servers: ServerConfig[];
  problems: ConfigProblem[];
}

const MAX_BYTES = 1_000_000;
const MAX_SERVERS = 200;

/** Never rejects: what cannot be read is a problem. */
export async function readConfigs(places: ConfigPlaces): Promise<Configs> {
  const read = await Promise.all(configFiles(places).map(readConfig));
  const found: Configs = { servers: [], problems: read.flatMap(({ problems }) => problems) };
  for (const server of read.flatMap(({ servers }) => servers)) {
    const same = found.servers.find(({ name }) => name === server.name);
    const why = same
      ? `${same.origin.shown} has a server of this name, which is used. Give one of them another name`
      : `there are more than ${MAX_SERVERS} servers`;
    if (same || found.servers.length >= MAX_SERVERS)
      found.problems.push({ file: server.origin.shown, entry: server.name, why });
    else found.servers.push(server);
  }
  return found;
}

async function readConfig(origin: ConfigOrigin): Promise<Configs> {
  const problem = (why: string, entry?: string): Configs => ({
    servers: [],
    problems: [{ file: origin.shown, ...(entry !== undefined && { entry }), why }],
  });
  let text: string;
  try {
    // A repository may have a link to a device there, or a pipe.
    const read = await readHead(origin.file, MAX_BYTES);
    if (!read) return problem("it is no regular file");
    if (read.size > MAX_BYTES) return problem("it is larger than 1 MB");
    text = read.bytes.toString("utf8");
  } catch (error) {
    const isMissing =
      error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
    return isMissing ? { servers: [], problems: [] } : problem(`it cannot be read (${String(error)})`);
  }
  const parsed = parseSettingsFile(text);
  return parsed.problem === undefined ? readContent(parsed.value, origin, problem) : problem(parsed.problem);
}

function readContent(
  content: unknown,
  origin: ConfigOrigin,
  problem: (why: string, entry?: string) => Configs,
): Configs {
  if (!isRecord(content)) return problem("it is not an object");
  // `mcpServers` is how the portable file calls them; both are understood everywhere.
  const entries = content.servers ?? content.mcpServers ?? {};
  if (!isRecord(entries)) return problem("`servers` is not an object");
  const found: Configs = { servers: [], problems: [] };
  const inputs = new Map<string, InputSpec>();
  for (const entry of Array.isArray(content.inputs) ? content.inputs : []) {
    const input = parseInput(entry);
    if (typeof input === "string") found.problems.push(...problem(input, "inputs").problems);
    else inputs.set(input.id, input);
  }
  for (const [name, entry] of Object.entries(entries)) {
    const launch = parseServer(entry);
    if (typeof launch === "string") found.problems.push(...problem(launch, name).problems);
    else if (origin.level === "workspace" && launch.type === "stdio" && isTooLong(launch))
      found.problems.push(...problem("its command is too long: move it into a script", name).problems);
    else if (!isRecord(entry) || entry.disabled !== true)
      found.servers.push({ name: cleanName(name), origin, launch, inputs });
  }
  return found;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
