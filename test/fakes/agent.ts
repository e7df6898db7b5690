/** A whole agent on fakes: what session tests stand on. */

import { type AgentPorts, createSession, openSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import { createRedactor, type RedactorOptions } from "../../src/core/secrets/redact";
import type { AgentEvent } from "../../src/shared/events";
import type { LogRecord } from "../../src/shared/records";
import { type Settings, settingsSchema } from "../../src/shared/settings";
import { FakeClock } from "./clock";
import { MemoryFiles } from "./files";
import { hash } from "./hash";
import { FakeIds } from "./ids";
import { ScriptedModels } from "./model";
import { MemoryRules } from "./rules";
import { MemorySearch } from "./search";
import { ScriptedShell, type ShellScript } from "./shell";
import { MemorySpending } from "./spending";
import { type MemoryDisk, MemoryStorage } from "./storage";
import { MemoryUnsaved } from "./unsaved";

export interface WorldOptions {
  mode?: Settings["permissions.mode"];
  maxSteps?: number;
  trusted?: boolean;
  answers?: AgentPorts["answers"];
  /** text of AGENTS.md */
  rules?: string;
  files?: Record<string, string>;
  shell?: Record<string, ShellScript>;
  /** where known secrets come from, and where placeholders keep what they stand for */
  secrets?: RedactorOptions;
  settings?: Partial<Settings>;
}

export function world(options: WorldOptions = {}) {
  const files = new MemoryFiles({ app: options.files ?? { "src/a.ts": "one\n" } });
  const unsaved = new MemoryUnsaved(files);
  const models = new ScriptedModels();
  const clock = new FakeClock();
  const storage = new MemoryStorage();
  const spending = new MemorySpending();
  const shell = new ScriptedShell(options.shell ?? { "*": { output: [["stdout", "ok\n"]] } });
  const settings = settingsSchema.parse({
    "permissions.mode": options.mode ?? "ask",
    // what commands may do is tested where it is decided
    "permissions.runEverything": true,
    ...(options.maxSteps ? { "agent.maxSteps": options.maxSteps } : {}),
    ...options.settings,
  });
  models.contextWindow = settings["model.contextWindow"] || models.contextWindow;
  const logged: { level: string; message: string; fields?: unknown }[] = [];
  const ports: AgentPorts = {
    files,
    search: new MemorySearch(files),
    shell,
    unsaved,
    storage,
    models,
    rules: new MemoryRules(files, options.rules, () => options.trusted ?? true),
    surroundings: { platform: "linux", trusted: () => options.trusted ?? true, editor: () => undefined },
    settings: { get: () => settings },
    redactor: createRedactor(text => hash.sha256(`key ${text}`), options.secrets),
    clock,
    ids: new FakeIds(),
    hash,
    logger: { log: (level, message, fields) => logged.push({ level, message, fields }) },
    spending,
    ownFolders: ["/home/person/.config/strata"],
    answers: options.answers ?? "now",
  };
  return { ports, files, unsaved, models, clock, disk: storage.disk, spending, shell, logged };
}

// ---------------------------------------------------------------- what tests say often

export const kinds = (session: Session) => session.history.records.map(record => record.kind).join(" ");
export const last = <K extends LogRecord["kind"]>(session: Session, kind: K) =>
  session.history.records.findLast(record => record.kind === kind) as Extract<LogRecord, { kind: K }>;
export const read = (file_path: string) => ({ name: "Read", input: { file_path } });
export const edit = (file_path: string, old_string: string, new_string: string) => ({
  name: "Edit",
  input: { file_path, old_string, new_string },
});

export const log = (disk: MemoryDisk, session: Session) => disk.text(session.id, "history.jsonl") ?? "";
export const everything = (disk: MemoryDisk) =>
  [...disk.sessions.values()]
    .flatMap(({ files, blobs }) => [...files.values(), ...blobs.values()].map(String))
    .join("\n");

export async function start(options: Parameters<typeof world>[0] = {}) {
  const agent = world(options);
  const session = await createSession(agent.ports);
  const events: AgentEvent[] = [];
  session.subscribe(event => events.push(event));
  return { ...agent, session, events };
}

/** A message, and the turn that it begins, to its end. */
export async function runTurn(session: Session, ...message: Parameters<Session["submit"]>): Promise<void> {
  await session.submit(...message);
  await session.idle();
}

/** The session as its next process finds it: memory comes from disk alone. */
export async function reopened(session: Session, ports: AgentPorts): Promise<Session> {
  await session.close();
  return openSession(ports, session.id);
}
