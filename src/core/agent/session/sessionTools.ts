/** What a session needs of the world, and its tools, put together out of that. */
import type { FileVersion } from "../../../shared/toolResult";
import { BackgroundTasks } from "../../commands/background";
import type { CommandSandbox } from "../../commands/bash";
import { CommandObserver } from "../../commands/commandObserver";
import type {
  Attachments,
  Baselines,
  CodeIntelligence,
  Diagnostics,
  DiskStates,
  Hooks,
  McpOffers,
  Sandbox,
  SessionStorage,
  Shell,
  Skills,
  Telemetry,
  UnsavedFiles,
  Worktree,
  Worktrees,
} from "../../ground/ports";
import type { History } from "../../log/history";
import type { Snapshots } from "../../log/snapshots";
import { deniedFiles } from "../../permissions/denials";
import { dirtyFilesNow } from "../../permissions/grants";
import { KnownTexts, rememberingFiles } from "../../secrets/knownTexts";
import { redactingWriter } from "../../secrets/redact";
import {
  learnFromCommand,
  learnFromOutput,
  secretLearningFiles,
  secretLearningSearch,
} from "../../secrets/secretLearning";
import type { ForeignTools } from "../../tool/tool";
import type { TurnPorts } from "../loop";
import type { Answers } from "../questions";
import { createTools } from "../tools/index";
import type { ChildLink } from "./childPorts";
import type { Events } from "./events";

/** What a terminal has not (unsaved, diagnostics, code), or no person set up (sandbox, hooks, offers, telemetry), is absent. */
export interface AgentPorts extends TurnPorts {
  shell: Shell;
  sandbox?: Sandbox;
  storage: SessionStorage;
  unsaved?: UnsavedFiles;
  diagnostics?: Diagnostics;
  code?: CodeIntelligence;
  /** what a message can attach beside files; absent: nothing */
  attachments?: Attachments;
  /** what sees to it that files can be put back after commands; absent, with `disk`: rewinds leave files alone */
  baselines?: Baselines;
  disk?: DiskStates;
  skills?: Skills;
  hooks?: Hooks;
  /** tools that are not ours: read at the start of each turn; absent: there are none */
  foreignTools?: ForeignTools;
  offers?: McpOffers;
  telemetry?: Telemetry;
  /** true: sessions outlive their turns here, so a model may name them (`sessions.titles`); absent: first words do */
  titles?: boolean;
  answers: Answers;
  worktrees?: Worktrees<PlacedWorktree>;
  /** of a child; absent: it is a person's session */
  caller?: ChildLink;
}

/** A working tree, and what a session in it gets in the place of its caller's ports. */
export interface PlacedWorktree extends Worktree {
  ports: Partial<AgentPorts>;
  /** Ends what the ports began. The tree stays. */
  close(): Promise<void>;
}

const commandSandbox = ({ sandbox, settings }: AgentPorts, { conversation }: History): CommandSandbox => ({
  kept: () => deniedFiles(conversation.denials),
  mode: () => settings.get()["bash.sandbox"],
  policy: () => ({ kind: "sandbox", network: settings.get()["bash.network"], access: "write" }),
  state: async () => (await sandbox?.state()) ?? { kind: "missing", why: "There is no sandbox here." },
});

/** What commands do to any file of the workspace is found out and kept; undefined: not here. */
function workspaceNotes({ baselines, files, hash, logger, clock }: AgentPorts, history: History) {
  if (!baselines) return undefined;
  const store = {
    put: async (bytes: Uint8Array) => {
      const sha256 = hash.sha256(bytes);
      await history.files.putSnapshot(sha256, bytes);
      return sha256;
    },
    get: (sha256: string) => history.files.getSnapshotBytes(sha256),
  };
  return { history, baseline: baselines.open(store), roots: () => files.roots, logger, clock };
}

/** Work that is done while the model answers delays no one. */
function prepareWhileAnswering(observer: CommandObserver, history: History, events: Events): void {
  let prepared = 0;
  events.subscribe(({ type }) => {
    const { turn } = history.conversation;
    if ((type !== "text" && type !== "reasoning" && type !== "callInput") || turn === prepared) return;
    prepared = turn;
    observer.prepare();
  });
}

/**
 * Each tool gets what it needs and no more; the texts of files that it reads or writes are known from then on. `files`: reading
 * through them learns secrets; `background` is closed with the session.
 */
export function buildTools(ports: AgentPorts, history: History, events: Events, snapshots: Snapshots) {
  const { shell, clock, redactor } = ports;
  const cwd = workingDirectory(history, ports.files.roots[0]?.path ?? "");
  const blobs = () => redactingWriter(history.files.blobWriter(), redactor);
  const lastNumber = () => history.conversation.lastTask ?? 0;
  const background = new BackgroundTasks({ shell, clock, redactor, emit: events.emit, lastNumber, blobs });
  const known = new KnownTexts();
  const learning = secretLearningFiles(ports.files, redactor);
  const files = rememberingFiles(learning, known);
  // What this session edited is known after a restart, too.
  const textOf = async ({ sha256, snapshot }: FileVersion) =>
    known.get(sha256) ?? (await snapshots.textIfKept(snapshot ?? sha256)) ?? undefined;
  const observer = new CommandObserver({
    ...{ files, textOf, snapshots, unsaved: ports.unsaved, workspace: workspaceNotes(ports, history) },
    dirtyFiles: () => dirtyFilesNow(ports.settings.get()["bash.dirtyFiles"], history.conversation.grants),
    stamps: () => history.conversation.stamps,
    clock,
  });
  prepareWhileAnswering(observer, history, events);
  const own = createTools({
    files,
    textOf,
    remember: async text => {
      const sha256 = ports.hash.sha256(text);
      known.put(sha256, text);
      await snapshots.keepBoth(null, text);
      return { sha256 };
    },
    snapshots,
    search: secretLearningSearch(ports.search, learning, redactor),
    shell,
    learnFrom: (command, cwd) => learnFromCommand(command, cwd, learning),
    learnFromOutput: (text, signal) => learnFromOutput(text, ports.search, learning, signal),
    blobs,
    cwd,
    observer,
    sandbox: commandSandbox(ports, history),
    tasks: background,
    bashTimeoutMs: () => ports.settings.get()["bash.timeoutSeconds"] * 1000,
    clock,
    log: history,
    earlier: {
      storage: ports.storage,
      own: history.files.id,
      isOn: () => ports.settings.get()["recall.sessions"],
      clock,
    },
    code: ports.code,
    diagnostics: ports.diagnostics && {
      source: ports.diagnostics,
      waitMs: () => ports.settings.get()["diagnostics.waitMs"],
    },
  });
  return { own, observer, background, cwd, files: learning };
}

/** The folder in which commands run: kept between calls, and, through the log, between processes. @param root where it begins: absolute */
function workingDirectory({ conversation }: History, root: string) {
  const logged = () => conversation.cwd ?? root;
  // Only until the call's record has it: from then on the log says it, also for another window.
  let fresh: string | undefined;
  return {
    get: () => fresh ?? logged(),
    set: (path: string) => {
      fresh = path;
    },
    /** what the log does not know yet, for the record that is about to be written */
    takeChanged: () => {
      const path = fresh;
      fresh = undefined;
      return path === logged() ? undefined : path;
    },
  };
}
