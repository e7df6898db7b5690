/**
 * A whole agent as the terminal builds it, on a disk of its own, before the offline model over real HTTP. Only the clock is
 * not real: what waits for a retry waits no time, what waits for a summary's limit waits until the test says so.
 */
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { OfflineAnswer, OfflineModel, OfflineRequest } from "../../scripts/offline-model/server.mjs";
import { startOfflineModel } from "../../scripts/offline-model/server.mjs";
import { summarise, summaryInstruction } from "../../scripts/offline-model/summary.mjs";
import { countTokens } from "../../scripts/offline-model/usage.mjs";
import { type AgentPorts, createSession, openSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import type { Clock } from "../../src/core/ground/ports";
import { resolveHandle } from "../../src/core/log/handles";
import { verifySession } from "../../src/core/proof/verify";
import { createRedactor } from "../../src/core/secrets/redact";
import { createModels } from "../../src/models";
import type { EditorModels } from "../../src/models/editorModel";
import { NodeFiles } from "../../src/node/files";
import { packagedRipgrep, RipgrepSearch } from "../../src/node/ripgrep";
import { NodeRules } from "../../src/node/rules";
import { NodeShell } from "../../src/node/shell/shell";
import { NodeSkills } from "../../src/node/skills";
import { NodeStorage } from "../../src/node/storage/sessionStorage";
import { nodeClock, nodeHash, nodeIds } from "../../src/node/system";
import type { AgentEvent, AgentEventOf } from "../../src/shared/events";
import type { LogRecord } from "../../src/shared/records";
import { type Settings, settingsSchema } from "../../src/shared/settings";
import { temporaryFolder } from "../fakes/temporary";

export interface WorldOptions {
  settings?: Partial<Settings>;
  /** of the workspace, by path */
  files?: Record<string, string | Uint8Array>;
  /** what the server takes, in its own tokens; what is longer it refuses as OpenAI does */
  serverWindow?: number;
  /** the model's server, which ends with the world; absent: the offline model */
  provider?: { url: string; close(): Promise<void> };
  /** for every host, or by host; absent: none is set */
  key?: string | ((host: string) => string | undefined);
  /** beside those of a terminal */
  ports?: Pick<AgentPorts, "attachments" | "foreignTools" | "offers" | "pictures" | "spending" | "titles">;
  /** skills and prompts of the workspace are read as the terminal reads them */
  skills?: true;
  editorModels?: EditorModels;
  /** absent: the platform's */
  fetch?: typeof fetch;
}

/** What a title's model is granted; a summary's is granted more. Longer than any pause before a retry. */
const LONG_MS = 30_000;

class TestClock implements Clock {
  private held: (() => void)[] = [];
  private time = Date.UTC(2026, 0, 1);

  /** Each look at the clock is a millisecond later. */
  now = () => ++this.time;
  steady = nodeClock.steady;
  after = nodeClock.after;

  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      if (ms >= LONG_MS) this.held.push(resolve);
      else setImmediate(resolve);
    });

  /** Two minutes are over. */
  pass(): void {
    this.time += 120_000;
    for (const wake of this.held.splice(0)) wake();
  }
}

/** What the server answers: requests for a summary have a list of their own, and a sensible summary where that is empty. */
export class Script {
  readonly answers: OfflineAnswer[] = [];
  readonly summaries: OfflineAnswer[] = [];
  readonly asked: OfflineRequest[] = [];
  readonly askedForSummary: OfflineRequest[] = [];

  /** @param serverWindow what it takes, in its own tokens */
  constructor(public serverWindow: number) {}

  play(...answers: OfflineAnswer[]): void {
    this.answers.push(...answers);
  }

  answer = (request: OfflineRequest): OfflineAnswer => {
    const forSummary = summaryInstruction(request) !== undefined;
    (forSummary ? this.askedForSummary : this.asked).push(request);
    if (countTokens(JSON.stringify(request.body)) > this.serverWindow) return { fault: "context-length" };
    if (forSummary) return this.summaries.shift() ?? summarise(request);
    return this.answers.shift() ?? { text: "The script is over." };
  };
}

export interface World {
  session: Session;
  ports: AgentPorts;
  server: OfflineModel;
  script: Script;
  clock: TestClock;
  events: AgentEvent[];
  workspace: string;
  logged: { level: string; message: string }[];
  write(path: string, content: string | Uint8Array): void;
}

const ending: (() => Promise<void>)[] = [];

/** Ends what `world` began; for `afterEach`. */
export async function endWorlds(): Promise<void> {
  for (const end of ending.splice(0).reverse()) await end();
}

export async function world({
  settings,
  files = {},
  provider,
  serverWindow,
  ports: more,
  key,
  editorModels,
  fetch,
  skills,
}: WorldOptions = {}): Promise<World> {
  const folder = temporaryFolder("http");
  const workspace = join(folder, "ws");
  mkdirSync(workspace);
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const script = new Script(serverWindow ?? Number.POSITIVE_INFINITY);
  const server = await startOfflineModel({ script: request => script.answer(request) });
  const clock = new TestClock();
  const logged: World["logged"] = [];
  const ports = {
    ...buildPorts(
      { folder, workspace, clock, logged, url: (provider ?? server).url, key, editorModels, fetch },
      settings,
    ),
    ...(skills && { skills: workspaceSkills(folder, workspace) }),
    ...more,
  };
  const session = await createSession(ports);
  const events: AgentEvent[] = [];
  session.subscribe(event => events.push(event));
  ending.push(async () => {
    await session.close();
    await Promise.all([server.close(), provider?.close()]);
    rmSync(folder, { recursive: true, force: true });
  });
  return { session, ports, server, script, clock, events, workspace, logged, write };
}

const workspaceSkills = (folder: string, workspace: string) =>
  new NodeSkills({
    roots: () => new NodeFiles([workspace]).roots,
    ...{ configDir: join(folder, "config"), home: join(folder, "home"), trusted: () => true },
    ...{ protectedBecause: () => undefined, logger: { log: () => undefined } },
  });

interface Place {
  folder: string;
  workspace: string;
  clock: Clock;
  logged: World["logged"];
  url: string;
  key: WorldOptions["key"];
  editorModels: EditorModels | undefined;
  fetch: typeof fetch | undefined;
}

function buildPorts(at: Place, wanted: Partial<Settings> = {}): AgentPorts {
  const settings = settingsSchema.parse({
    "model.baseUrl": at.url,
    "model.name": "offline-model",
    "permissions.mode": "auto",
    "permissions.runEverything": true,
    ...wanted,
  });
  const source = { get: () => settings };
  const files = new NodeFiles([at.workspace]);
  const roots = () => files.roots;
  const logger = { log: (level: string, message: string) => void at.logged.push({ level, message }) };
  return {
    ...{ files, logger, clock: at.clock, ids: nodeIds, hash: nodeHash, settings: source },
    search: new RipgrepSearch({ ripgrepPath: packagedRipgrep, roots }),
    shell: new NodeShell({}),
    storage: new NodeStorage(join(at.folder, "storage")),
    models: createModels({
      ...{ settings: source, hash: nodeHash, clock: at.clock },
      apiKey: async ({ host }) => (typeof at.key === "function" ? at.key(host) : at.key),
      ...(at.editorModels ? { editorModels: at.editorModels } : {}),
      ...(at.fetch ? { fetch: () => at.fetch as typeof fetch } : {}),
    }),
    rules: new NodeRules({
      roots,
      configDir: join(at.folder, "config"),
      trusted: () => true,
      protectedBecause: () => undefined,
      logger,
    }),
    surroundings: { platform: "linux", trusted: () => true, editor: () => undefined },
    redactor: createRedactor(text => nodeHash.sha256(`key ${text}`)),
    ownFolders: [join(at.folder, "storage"), join(at.folder, "config")],
    answers: "now",
  };
}

// ---------------------------------------------------------------- what tests say often

/** A turn: the user's words, the model's answers, until it has ended. */
export async function say({ session, script }: World, text: string, ...answers: OfflineAnswer[]): Promise<void> {
  script.play(...answers);
  await session.submit(text);
  await session.idle();
}

/** Words that take about so many tokens by our estimate, in lines; `mark` stands at their head. */
export const words = (tokens: number, mark = ""): string =>
  `${mark}\n${"some words in a line of 30 here\n".repeat(Math.ceil((tokens * 3) / 32))}`;

/** So many rounds of so many tokens each. What the user says is long: what a model says takes its time to stream. */
export async function rounds(at: World, from: number, to: number, tokens: number): Promise<void> {
  for (let turn = from; turn <= to; turn++)
    await say(at, words(tokens, `Question ${turn}.`), { text: `Answer ${turn}.` });
}

/** The answer to a request for a summary, and none to others. */
export function summaryFor(lastMessage: unknown): { text: string } | undefined {
  const last = JSON.stringify(lastMessage);
  if (!/summar/i.test(last) || !last.includes("Key Insights")) return undefined;
  return { text: "## Goal\nLook at files.\n\n## Key Insights\n- Nothing yet.\n\n## Progress\n- Read two files." };
}

/** A fold, a compaction, its undo and a new window: of what was bound to what changed none travels, and the proof says so. */
export async function foldAndUndo(at: World): Promise<void> {
  await say(at, words(3000, "Look at the files."));
  for (let turn = 2; turn <= 8; turn++) await say(at, words(5000, `Question ${turn}.`));
  assert.ok(records(at, "compaction").length > 0);
  await at.session.compaction.undo();
  await say(at, "And now?");
  const again = await reopened(at);
  await say(again, "Still there?");
  const { breaks } = await proven(again);
  assert.ok((breaks.compaction ?? 0) > 0 && (breaks.undo ?? 0) > 0);
  assert.match((await again.session.history.files.read("requests.jsonl")) ?? "", /"form":"dropped"/);
}

type Recorded<K extends LogRecord["kind"]> = Extract<LogRecord, { kind: K }>;

/** All that were ever written, also those that a compaction archived since. */
export const records = <K extends LogRecord["kind"]>({ events }: World, kind: K): Recorded<K>[] =>
  events.flatMap(event => (event.type === "record" && event.record.kind === kind ? [event.record as Recorded<K>] : []));

export function newest<K extends LogRecord["kind"]>(at: World, kind: K): Recorded<K> {
  const record = records(at, kind).at(-1);
  assert.ok(record, `there is a ${kind}`);
  return record;
}

export const phases = ({ events }: World): string[] =>
  events.filter((event): event is AgentEventOf<"compaction"> => event.type === "compaction").map(({ phase }) => phase);

/** All that the newest request for a step said, as one text. */
export const sent = ({ script }: World): string => textOf(script.asked.at(-1));
export const textOf = (request: OfflineRequest | undefined): string =>
  (request?.messages ?? []).map(({ text, calls }) => text + (calls ? JSON.stringify(calls) : "")).join("\n");

/** Every request is proven byte by byte; none of its breaks is without a cause. */
export async function proven({ session, logged }: World) {
  const report = await verifySession(session.history.files, nodeHash);
  assert.deepEqual(report.defects, []);
  assert.equal(report.proven, report.requests);
  assert.equal(report.breaks.unexplained, undefined);
  assert.deepEqual(
    logged.filter(({ level }) => level === "error"),
    [],
  );
  return report;
}

/** A request's text, and all that its handles lead to, and theirs. */
/** Takes every compaction back, the newest first. */
export async function undoAll({ session: { compaction } }: World): Promise<void> {
  for (let undone = 0; compaction.undoable.undo && undone < 100; undone++) await compaction.undo();
}

export async function reachable({ session }: World, text: string): Promise<string> {
  const seen = new Map<string, string>();
  const open = [text];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [handle] of next.matchAll(/\bobs:[0-9a-f]{12}\b/g)) {
      if (seen.has(handle)) continue;
      const output = await resolveHandle(session.history, handle);
      seen.set(handle, output.text);
      open.push(output.text);
    }
  }
  return [text, ...seen.values()].join("\n");
}

/** A new window: memory comes from disk alone. */
export async function reopened(at: World): Promise<World> {
  await at.session.close();
  const session = await openSession(at.ports, at.session.id);
  session.subscribe(event => at.events.push(event));
  ending.push(() => session.close());
  return { ...at, session };
}

export const read = (id: string, file_path = "src/a.ts") => ({ id, name: "Read", input: { file_path } });
export const todos = (id: string, status = "in_progress") => {
  return { id, name: "TodoWrite", input: { todos: [{ content: "Look at the file", status }] } };
};
