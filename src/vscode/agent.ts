/** Everything behind the panel and the commands, put together: loaded when it is first needed. */
import * as vscode from "vscode";
import type { MentionSearch } from "../core/ports";
import type { AgentPorts } from "../core/session/openSession";
import type { CommandName } from "./commandNames";
import { createCommands, runCommand } from "./commands";
import { VSCodeActions } from "./editorActions";
import type { VSCodeFiles } from "./files";
import type { LastActiveEditor } from "./lastActiveEditor";
import { activeFile, mentionPathOf, onFilesChanged, refOfPlace } from "./mentions/near";
import { ModelSetup } from "./modelSetup";
import { createHandlers } from "./panel/handlers";
import { PanelHost } from "./panel/panelHost";
import { Sessions } from "./panel/sessions";
import { panelSurroundings, whyNot } from "./panelSurroundings";
import type { ProposalFiles } from "./proposalFiles";
import { Proposals } from "./proposals";
import type { ApiKey } from "./secretStorage";
import { type ExportedFiles, SessionTransfer } from "./sessionTransfer";
import type { VSCodeSettings } from "./settings";
import { StorageLimit } from "./storageLimit";

export interface Agent {
  readonly panel: PanelHost;
  readonly sessions: Sessions;
  readonly mentions: MentionSearch;
  run(command: CommandName, argument: unknown, more?: unknown): Promise<void>;
  /** Ends what runs and gives every lock back. */
  close(): Promise<void>;
}

export interface AgentParts {
  ports: AgentPorts & { files: VSCodeFiles; settings: VSCodeSettings };
  key: ApiKey;
  channel: vscode.LogOutputChannel;
  inUse: LastActiveEditor;
  /** remembers across reloads */
  state: vscode.Memento;
  exported: ExportedFiles;
  /** the texts of proposed edits, as the editor sees them */
  proposed: ProposalFiles;
  /** completion of mentions, for the composer */
  mentions: MentionSearch;
}

const LAST_SESSION = "strata.session";

export function createAgent({ ports, key, channel, inUse, state, exported, proposed, mentions }: AgentParts): Agent {
  const { files, settings, models, logger } = ports;
  const last = {
    get: () => state.get<string>(LAST_SESSION),
    set: (id: string) => void state.update(LAST_SESSION, id),
  };
  const sessions = new Sessions(ports, last, why => void vscode.window.showWarningMessage(why));
  const editor = new VSCodeActions(files);
  const proposals = new Proposals({
    ...{ sessions, files: proposed, logger },
    uriOf: ref => files.documents.uriOf(ref),
    review: () => settings.get()["edits.review"],
  });
  const storageLimit = new StorageLimit({ ...ports, onChange: () => refresh() });
  const mentionDeps = {
    ...{ search: mentions, files },
    activeFile: () => activeFile(files, inUse),
    refOf: (place: string) => refOfPlace(place, files),
  };
  const panel = new PanelHost({
    sessions,
    logger,
    surroundings: () =>
      panelSurroundings({
        ...{ models, settings, inUse, pathOf: (uri: vscode.Uri) => mentionPathOf(uri, files) },
        storage: () => storageLimit.over,
      }),
    handlers: open =>
      createHandlers(
        { sessions, editor, proposals, mentions: mentionDeps, whyNot, home: () => files.diskRoots[0]?.path, logger },
        open,
      ),
  });
  const setup = new ModelSetup({ settings, key, models });
  const exchange = new SessionTransfer(ports, exported);
  const commands = createCommands({
    ...{ sessions, panel, files, setup, channel, inUse, whyNot },
    ...{ editor, proposals, exchange, storageLimit, logger },
  });
  const refresh = () =>
    void panel
      .sendSurroundings()
      .catch(error => logger.log("error", "the panel was not told", { error: String(error) }));
  const subscriptions = vscode.Disposable.from(
    settings.onDidChange(refresh),
    key.onDidChange(refresh),
    vscode.workspace.onDidGrantWorkspaceTrust(refresh),
    vscode.workspace.onDidChangeWorkspaceFolders(refresh),
    followRunning(sessions),
    storageLimit.follow(sessions),
    onFilesChanged(() => panel.sendFilesChanged()),
    editor,
    proposals,
    settings,
    files,
    panel,
  );
  return {
    panel,
    sessions,
    mentions,
    run: (command, argument, more) => runCommand(commands, command, argument, more),
    async close() {
      subscriptions.dispose();
      await sessions.close();
    },
  };
}

/** The context key `strata.running`: "Strata: Stop" is offered while something runs. */
function followRunning(sessions: Sessions): vscode.Disposable {
  const unsubscribe = sessions.subscribe((_, event) => {
    if (event.type !== "state") return;
    void vscode.commands.executeCommand("setContext", "strata.running", event.state !== "idle");
  });
  return new vscode.Disposable(unsubscribe);
}
