/** Everything behind the panel and the commands, put together: loaded when it is first needed. */
import * as vscode from "vscode";
import type { AgentPorts } from "../core/agent/session/openSession";
import { Spans } from "../core/context/requests/spans";
import type { Logger, McpControl, MentionSearch } from "../core/ground/ports";
import { SessionSearch } from "../core/log/sessionSearch";
import { redactingLogger } from "../core/secrets/redact";
import type { EditorModels } from "../models/editorModel";
import type { ModelDirectory } from "../models/offers";
import { t } from "../shared/l10n";
import { type Draft, draftSchema } from "../shared/panelSnapshot";
import type { TerminalCommands } from "./attachments/terminal";
import { createCommands, runCommand } from "./commands/commands";
import type { GenerateCommitMessageDeps } from "./commands/commitMessage";
import { ModelPicker } from "./commands/modelPicker";
import { ModelSetup } from "./commands/modelSetup";
import type { ComposerDraft } from "./commands/prompts";
import { type ExportedFiles, SessionTransfer } from "./commands/sessionTransfer";
import { startParts, tellStep } from "./commands/startParts";
import { mayDelete, StorageLimit } from "./commands/storageLimit";
import { copiedFrom, type LastActiveEditor } from "./editor/lastActiveEditor";
import type { VSCodeFiles } from "./files/files";
import { activeFile, mentionPathOf, onFilesChanged, refOfPlace } from "./mentions/near";
import { Attention } from "./panel/attention/attention";
import { attentionSigns } from "./panel/attention/attentionSigns";
import { VSCodeActions } from "./panel/conversation/editorActions";
import type { PlanFileSystem } from "./panel/conversation/planFiles";
import { PlanDocuments } from "./panel/conversation/plans";
import type { ProposalFiles } from "./panel/conversation/proposalFiles";
import { EditProposals } from "./panel/conversation/proposals";
import { createHandlers } from "./panel/handlers";
import { errorText } from "./panel/host/dispatch";
import { PanelHost } from "./panel/host/panelHost";
import type { PanelTabs } from "./panel/pages/tabs";
import {
  FocusView,
  followWaiting,
  type PanelView,
  pageFocus,
  revealView,
  setContext,
  tabFocus,
} from "./panel/pages/view";
import { lastSession } from "./panel/pages/webviewPage";
import type { SessionHandlerDeps } from "./panel/sessionHandlers";
import type { Drafts } from "./panel/sessions/drafts";
import { Sessions } from "./panel/sessions/sessions";
import { panelSurroundings, whyNot } from "./panel/start/surroundings";
import type { McpViewDeps } from "./panel/tools/mcpHandlers";
import type { ToolsDeps } from "./panel/tools/tools";
import { logged, once } from "./platform/async";
import { onMcpConfigSaved, openMcpConfig, openWorkspaceMcpConfig, signInBrowser } from "./platform/mcpConfig";
import { complain, warn } from "./platform/messages";
import type { ApiKey } from "./platform/secretStorage";
import { save, type VSCodeSettings } from "./platform/settings";
import { ReviewFindings } from "./review/findings";
import { Review } from "./review/review";
import { ReviewCommands } from "./review/reviewCommands";
import { offerComments } from "./review/reviewComments";

export interface Agent {
  readonly panel: PanelHost;
  readonly sessions: Sessions;
  readonly mentions: MentionSearch;
  run(command: string, argument: unknown, more?: unknown): Promise<void>;
  /** Ends what runs and gives every lock back. */
  close(): Promise<void>;
}

interface AgentParts {
  ports: AgentPorts & { files: VSCodeFiles; settings: VSCodeSettings };
  key: ApiKey;
  /** the models that VS Code itself has */
  editorModels: EditorModels;
  /** what can be asked */
  directory: ModelDirectory;
  channel: vscode.LogOutputChannel;
  inUse: LastActiveEditor;
  /** remembers across reloads */
  state: vscode.Memento;
  /** the folder of a new demo */
  newDemo(): Promise<vscode.Uri>;
  exported: ExportedFiles;
  git: Pick<GenerateCommitMessageDeps, "readChanges" | "readSubjects">;
  /** the texts of proposed edits, as the editor sees them */
  proposed: ProposalFiles;
  /** plans as documents */
  plans: PlanFileSystem;
  /** MCP servers, loaded when they are first shown */
  mcp(): Promise<McpControl>;
  /** completion of mentions, for the composer */
  mentions: MentionSearch;
  view: PanelView;
  tabs: PanelTabs;
  drafts: Drafts;
  terminals: TerminalCommands;
}

export function createAgent(given: AgentParts): Agent {
  const logger = redactingLogger(given.ports.logger, given.ports.redactor.redact);
  const parts = { ...given, ports: { ...given.ports, logger } };
  const { ports, key, channel, inUse, state, view, drafts } = parts;
  const { files, settings, models, clock } = ports;
  const sessions = sessionsOf(parts);
  const editor = new VSCodeActions(files);
  const proposals = proposalsOf(parts, sessions);
  const plans = new PlanDocuments({ sessions, files: parts.plans, editor, logger, clock });
  const storageLimit = new StorageLimit({ ...ports, onChange: () => refresh() });
  const focusView = new FocusView(state, () => refresh());
  const mcp = mcpInView(parts, editor, () => panel.post({ type: "mcpChanged" }));
  const onWays = () => refresh();
  const { choice, setup, picker } = modelParts(parts, sessions);
  const { submit, start, ends } = startParts(parts, { sessions, setup, choice, onWays });
  const tools = toolsInView(parts, mcp, sessions);
  const shown = { ...panelDeps(parts), sessions, editor, proposals, plans, mcp, tools, pageFocus, start, submit };
  const panel = new PanelHost({
    ...{ sessions, logger, clock, keepDraft: shown.keepDraft },
    surroundings: () =>
      panelSurroundings({
        ...{ models, choice, settings, saw: start.saw },
        ...{ storage: () => storageLimit.over, focusView: () => focusView.on },
      }),
    handlers: at => createHandlers({ ...shown, list }, at),
    draftOf: id => draftSchema.safeParse(drafts.of(id)).data,
  });
  const exchange = new SessionTransfer(ports, parts.exported);
  const list = listDeps(parts, sessions, { exchange, panel: () => panel });
  const review = reviewOf(parts, sessions, panel);
  const ask = async (text: string) => submit(await sessions.show(), text);
  const findings = new ReviewFindings({ ...ports, sessions });
  const commands = createCommands({
    ...{ sessions, panel, files, setup, picker, channel, inUse, whyNot, logger, clock },
    ...{ storage: ports.storage, editor, proposals, plans, storageLimit, focusView, exchange },
    submit: ask,
    ...{ newDemo: parts.newDemo, commit: commitDeps(parts), tabs: parts.tabs, findings },
    review: new ReviewCommands({ review, files }),
    begun: begunIn(drafts, sessions, panel),
  });
  const refresh = () => tellAround(panel, logger);
  const { lm, workspace } = vscode;
  const subscriptions = vscode.Disposable.from(
    ...[settings.onDidChange(refresh), key.onDidChange(refresh), lm.onDidChangeChatModels(refresh)],
    ...[workspace.onDidGrantWorkspaceTrust(refresh), workspace.onDidChangeWorkspaceFolders(refresh)],
    ...[followWaiting(sessions), ...followSessions(sessions, refresh)],
    ...followAttention(sessions, view, settings),
    storageLimit.follow(sessions),
    onFilesChanged(clock, () => panel.post({ type: "filesChanged" })),
    onMcpConfigSaved(() => panel.post({ type: "mcpChanged" })),
    proposals.onDidRevise(revised => panel.post({ type: "revised", ...revised })),
    ...[review, offerComments(review), findings, editor, proposals, plans, settings, files, panel, ...ends],
  );
  return {
    panel,
    sessions,
    mentions: parts.mentions,
    run: (command, argument, more) => runCommand(commands, command, argument, more),
    async close() {
      subscriptions.dispose();
      await sessions.close();
    },
  };
}

/** Settings, model, trust or folders changed. */
function tellAround(panel: PanelHost, logger: Logger): void {
  panel.sendSurroundings().catch(logged(logger, "error", "the panel was not told"));
  panel.post({ type: "mcpChanged" });
}

function proposalsOf({ ports, proposed }: AgentParts, sessions: Sessions): EditProposals {
  const { files, settings, logger, clock } = ports;
  return new EditProposals({
    ...{ sessions, files: proposed, logger, clock },
    uriOf: ref => files.documents.uriOf(ref),
    review: () => settings.get()["edits.review"],
  });
}

/** Changes that wait for a review. */
function reviewOf({ ports, state }: AgentParts, sessions: Sessions, panel: PanelHost): Review {
  const { files, settings, logger, clock } = ports;
  return new Review({
    ...{ sessions, files, state, logger, clock },
    isOn: () => settings.get()["review.marks"],
    onDidChangeSettings: settings.onDidChange,
    tell: (...waiting) => panel.sendReview(...waiting),
  });
}

function sessionsOf({ ports, state, drafts, view }: AgentParts): Sessions {
  return new Sessions(ports, {
    ...{ last: lastSession(state), drafts, onLost: why => void warn(why) },
    side: { reveal: revealView, inSight: () => view.visible },
    onPlace: tabFocus,
  });
}

interface ListParts {
  exchange: SessionTransfer;
  panel(): PanelHost;
}

/** What the panel's list of sessions needs. */
function listDeps({ ports, tabs }: AgentParts, sessions: Sessions, { exchange, panel }: ListParts): SessionHandlerDeps {
  const { storage, clock } = ports;
  const titleOf = async (id: string) => (await storage.list()).find(meta => meta.id === id)?.title ?? "";
  return {
    ...{ sessions, storage },
    search: new SessionSearch({ storage, clock, list: () => sessions.list() }),
    duplicate: async id => {
      const copy = await exchange.duplicate(id);
      await sessions.label(copy, { title: t("{0} (copy)", await titleOf(id)) });
      return copy;
    },
    exportSession: async id => exchange.exportSession({ id, title: await titleOf(id) }),
    mayPurge: title => mayDelete([{ title }]),
    complain: error => void complain(errorText(error)),
    changed: () => panel().sendSessionsChanged(),
    openTab: (id, title) => tabs.showSession(id, title),
    async turned(ids) {
      for (const id of ids) {
        const shown = sessions.placeOf(id)?.session;
        if (shown) await panel().sendSnapshot(shown);
      }
    },
  };
}

/** What the panel's requests need beside what is made for them. */
const panelDeps = ({ mentions, inUse, drafts, ports: { files, offers, logger } }: AgentParts) => ({
  ...{ whyNot, logger },
  mentions: {
    ...{ search: mentions, files, offers },
    activeFile: () => activeFile(files, inUse),
    refOf: (place: string) => refOfPlace(place, files),
  },
  copiedFrom: (text: string) => copiedFrom(text, uri => mentionPathOf(uri, files)),
  home: () => files.roots[0]?.path,
  keepDraft: (id: string | undefined, draft: Draft) => drafts.keep(id, draft),
});

/** What stands in the composer of the active session, of a panel that is not open too: the next one begins with what is kept. */
function begunIn(drafts: Drafts, sessions: Sessions, panel: PanelHost): ComposerDraft {
  const id = () => sessions.current?.id;
  const kept = () => draftSchema.safeParse(drafts.of(id())).data;
  return {
    draft: () => kept()?.draft ?? "",
    taken(draft) {
      const now = kept();
      // typed on meanwhile: it stays
      if (now?.draft === draft) drafts.keep(id(), { ...now, draft: "" });
      panel.takeFromComposer(draft);
    },
  };
}

/** How people choose models. */
function modelParts(parts: AgentParts, sessions: Sessions) {
  const { settings, models, clock } = parts.ports;
  const choice = () => sessions.current?.model ?? {};
  const setup = new ModelSetup({ ...parts, settings, models, clock, choice });
  const picker = new ModelPicker({
    ...{ settings, directory: parts.directory, models },
    session: () => sessions.show(),
    setup,
  });
  return { choice, setup, picker };
}

/** What the panel's view of MCP servers needs. */
function mcpInView({ mcp, ports }: AgentParts, editor: VSCodeActions, onChange: () => void): McpViewDeps {
  const servers = once(async () => {
    const loaded = await mcp();
    loaded.onDidChange(onChange);
    return loaded;
  });
  return {
    ...{ servers, browser: signInBrowser },
    setOff: names => save("mcp.off", names.length > 0 ? [...names] : undefined),
    off: () => ports.settings.get()["mcp.off"],
    openConfig: openMcpConfig,
    openOwnConfig: openWorkspaceMcpConfig,
    openText: (name, text) => editor.openText(name, text),
    complain: text => void complain(text),
  };
}

/** For requests to the model for small things beside all sessions: their log lines and spans are of none. */
function beside(ports: AgentParts["ports"], what: string) {
  const redactor = ports.redactor.within(() => `${ports.files.roots[0]?.uri ?? ""} ${what}`);
  const { telemetry, clock, ids } = ports;
  return { ...ports, redactor, spans: telemetry && new Spans({ telemetry, clock, ids }) };
}

/** What "Strata: Generate Commit Message" needs. */
function commitDeps({ ports, git }: AgentParts): GenerateCommitMessageDeps {
  return {
    ...beside(ports, "commit"),
    ...git,
    folders: () => ports.files.roots.map(({ path }) => path),
  };
}

/** What the page of tools and rules needs. */
const toolsInView = ({ ports }: AgentParts, mcp: McpViewDeps, sessions: Sessions): ToolsDeps => ({
  ...{ ...ports, servers: mcp.servers, session: () => sessions.show() },
  bind: (...given) => ports.settings.bind(...given),
  trusted: () => ports.surroundings.trusted(),
  home: () => ports.files.roots[0]?.path,
});

const followSessions = (sessions: Sessions, refresh: () => void) => [
  sessions.subscribe((_, event) => {
    // "Strata: Stop" is offered while something runs.
    if (event.type === "state") setContext("strata.running", event.state !== "idle");
    // It chose another model.
    if (event.type === "record" && event.record.kind === "model") refresh();
  }),
  // An answer in any session does the walkthrough's last step.
  sessions.subscribeToAll((_, event) => {
    const record = event.type === "record" ? event.record : undefined;
    if (record?.kind === "message" && record.message.role === "assistant") tellStep("strata.hasAnswered");
  }),
];

/** What waits for the person, and how turns ended, on the view's icon, in the status bar and as notifications. */
function followAttention(sessions: Sessions, view: PanelView, settings: VSCodeSettings): vscode.Disposable[] {
  const signs = attentionSigns();
  const when = () => settings.get().notifications;
  return [new Attention({ sessions, view, ...signs, when }), signs];
}

/** What else the composition root loads late, with this file. */
export { listedResources } from "../core/mentions/attachments/offered";
export { ruledOut, rulesInForce } from "../core/permissions/levels";
export { protectedBecause } from "../core/permissions/protectedPaths";
export { forbiddenPlaces } from "../core/permissions/rules";
export { editorAttachments } from "./attachments/editorAttachments";
export { VSCodeCode } from "./code/codeIntelligence";
export { VSCodeDiagnostics } from "./editor/diagnostics";
export { workspaceFolders } from "./editor/documents";
export { editorsEncoding } from "./editor/encodings";
export { LastActiveEditor, VSCodeSurroundings } from "./editor/lastActiveEditor";
export { onTextSaved } from "./editor/saving";
export { VSCodeFiles } from "./files/files";
export { UnsavedDocuments } from "./files/unsavedDocuments";
export { editorModels } from "./models/editorModels";
export { askInput } from "./platform/mcpConfig";
export { channelLogger, openAddress } from "./platform/messages";
export { ApiKey, redactionKey, SecretStorageVault, usableSecrets } from "./platform/secretStorage";
export { VSCodeSettings } from "./platform/settings";
export { VSCodeSearch } from "./search/unsavedSearch";
