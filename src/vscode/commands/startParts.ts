/** What a panel shows in which nothing was said yet, put together; and what waits until it can go on. */
import * as vscode from "vscode";
import type { AgentPorts } from "../../core/agent/session/openSession";
import type { ModelWays } from "../../shared/panelProtocol";
import type { SessionModel } from "../../shared/sessionModel";
import type { TerminalCommands } from "../attachments/terminal";
import type { LastActiveEditor } from "../editor/lastActiveEditor";
import type { VSCodeFiles } from "../files/files";
import { mentionPathOf } from "../mentions/near";
import { COPILOT_SIGN_IN } from "../panel/conversation/editorActions";
import { setContext } from "../panel/pages/view";
import type { Sessions } from "../panel/sessions/sessions";
import { ModelWait } from "../panel/start/modelWait";
import { isOffline, modelState } from "../panel/start/surroundings";
import { readWorkState } from "../panel/start/workState";
import type { ModelSetup } from "./modelSetup";

interface EditorParts {
  ports: AgentPorts & { files: VSCodeFiles };
  state: vscode.Memento;
  inUse: LastActiveEditor;
  terminals: TerminalCommands;
}

interface ShownParts {
  sessions: Sessions;
  setup: ModelSetup;
  choice(): SessionModel;
  /** there are ways to a model, and none is in use */
  onWays(): void;
}

/** What a panel shows in which nothing was said yet, and what waits there for a model. */
export function startParts(parts: EditorParts, { sessions, setup, choice, onWays }: ShownParts) {
  const { ports, state } = parts;
  const { models, settings, files, clock, logger } = ports;
  const model = () => modelState({ models, choice, settings });
  const isReady = async () => (await model()).state === "ready";
  const wait = new ModelWait({ sessions, state, isReady });
  const submit = wait.submit.bind(wait);
  const isDemo = () => {
    const { "model.name": name, "model.baseUrl": address } = settings.get();
    return isOffline(choice().name ?? name, address);
  };
  const { terminals, inUse } = parts;
  const pathOf = (uri: vscode.Uri) => mentionPathOf(uri, files);
  const work = () => readWorkState({ sessions, terminals, inUse, clock, logger, isDemo, pathOf });
  // A server was started meanwhile, or a person signed in: then what waits goes out.
  const ways = async () => {
    const found = await waysOf(setup);
    if (!wait.isReady && found.editor.length + found.local.length > 0) onWays();
    return found;
  };
  const saw = (state: "none" | "ready") => {
    if (state === "ready") tellStep("strata.hasModel");
    wait.saw(state);
  };
  return { submit, ends: [wait], start: { ways, work, saw } };
}

/** What can answer without an account, by name. */
async function waysOf(setup: ModelSetup): Promise<ModelWays> {
  const [{ editor, local }, commands] = await Promise.all([setup.ways(), vscode.commands.getCommands(true)]);
  return {
    editor: editor.map(({ title }) => title),
    local: local.map(({ title, models }) => ({ title, models })),
    ...(commands.includes(COPILOT_SIGN_IN) && { signIn: true }),
  };
}

/** The walkthrough's first steps are done by these context keys. */
export const tellStep = (key: "strata.hasModel" | "strata.hasAnswered") => setContext(key, true);
