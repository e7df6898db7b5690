/** When one of the editor's own models is meant, and how it is asked. */
import { type ModelConnection, NoModelError } from "../core/ports";
import type { Settings } from "../shared/settings";
import { type EditorChat, type EditorModels, editorModel, type TokenCounts } from "./editorModel";
import { explainFailure } from "./failure";
import { contextSigns } from "./failureSigns";
import { markOf } from "./ownParts";
import { directModelPerCall } from "./perCall";
import type { ToolProtocol } from "./toolProtocol";
import type { WireFits } from "./wireFit";

const EDITOR = "VS Code";

/** The editor's model that the settings mean; undefined: a server's. Rejects with NoModelError where it is not there. */
export async function findEditorChat(
  provider: Settings["model.provider"],
  name: string,
  models: EditorModels | undefined,
): Promise<EditorChat | undefined> {
  // A name without a provider is a server's, as it always was.
  if (provider !== "vscode") return undefined;
  const offered = (await models?.list()) ?? [];
  const chat = name ? offered.find(each => each.name === name) : offered[0];
  if (chat) return chat;
  const where = models ? "VS Code offers" : "Only VS Code has models of its own, and this is a terminal, which offers";
  const what = name ? `no model "${name}"` : "none";
  throw new NoModelError(
    `${where} ${what}: choose another with "Strata: Choose Model", or set strata.model.provider to server.`,
  );
}

export async function connectEditor(
  chat: EditorChat,
  settings: Settings,
  { counts, protocol, fits, now }: { counts: TokenCounts; protocol: ToolProtocol; fits: WireFits; now(): number },
): Promise<ModelConnection> {
  const timeoutMs = settings["model.timeoutSeconds"] * 1000;
  const signs = Object.values(contextSigns).flat();
  const where = { name: chat.name, address: EDITOR, timeoutMs, key: undefined, contextSigns: signs, now };
  const mark = markOf(EDITOR, chat.name);
  const connection = {
    mark,
    name: chat.name,
    address: EDITOR,
    provider: "vscode",
    contextWindow: chat.maxInputTokens,
    seesImages: chat.seesImages,
    providerOptions: {},
    timeoutMs,
    maxAnswerLength: settings["model.maxAnswerMegabytes"] * 1_000_000,
    open: await directModelPerCall(editorModel(chat, counts), { fits, mark }),
    explain: (error: unknown) => explainFailure(error, where),
  };
  return protocol.choose(connection, {
    setting: settings["model.protocol"],
    takesStop: false,
    takesTools: chat.takesTools ?? true,
  });
}
