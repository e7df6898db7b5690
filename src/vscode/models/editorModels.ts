/** VS Code's own models: those that extensions offer, Copilot's among them. */

import * as vscode from "vscode";
import type { ChatMessage, ChatPart, ChatPiece, ChatTool, EditorChat, EditorModels } from "../../models/editorModel";
import { EditorModelError } from "../../models/editorModel";
import { defined } from "../../shared/defined";
import { t } from "../../shared/l10n";
import { withTimeout } from "../platform/async";

// Newer than the types that the oldest VS Code of ours has.
const newer = vscode as { LanguageModelDataPart?: { image(data: Uint8Array, mime: string): object } };
type ModelCapabilities = { capabilities?: { supportsImageToText?: boolean; supportsToolCalling?: boolean } };

/** The first list waits for the extensions that offer models, ms. */
const LIST_MS = 5_000;

/** Why Strata asks; VS Code shows it where it asks the person for leave. */
const justification = () => t("Strata uses this model to answer you in its panel.");

export const editorModels: EditorModels = {
  /** Empty where no extension offers one, or not in time: what comes later is told by `onDidChangeChatModels`. */
  async list() {
    const models = await withTimeout(() => vscode.lm.selectChatModels(), LIST_MS);
    return models === "late" ? [] : models.map(toEditorChat);
  },
};

function toEditorChat(model: vscode.LanguageModelChat): EditorChat {
  const { capabilities } = model as ModelCapabilities;
  return {
    name: `${model.vendor}/${model.id}`,
    title: model.name,
    maxInputTokens: model.maxInputTokens,
    seesImages: newer.LanguageModelDataPart !== undefined && capabilities?.supportsImageToText === true,
    ...defined({ takesTools: capabilities?.supportsToolCalling === false ? false : undefined }),
    send: (turns, tools, signal) => send(model, turns, tools, signal),
  };
}

async function send(
  model: vscode.LanguageModelChat,
  turns: readonly ChatMessage[],
  tools: readonly ChatTool[],
  signal: AbortSignal,
): Promise<AsyncIterable<ChatPiece>> {
  const { token, end } = cancellation(signal);
  try {
    const options = { justification: justification(), ...(tools.length > 0 ? { tools: [...tools] } : {}) };
    const { stream } = await model.sendRequest(turns.map(toMessage), options, token);
    return pieces(stream, end);
  } catch (error) {
    end();
    throw inOurWords(error);
  }
}

async function* pieces(stream: AsyncIterable<unknown>, end: () => void): AsyncGenerator<ChatPiece> {
  try {
    for await (const part of stream) yield toPiece(part);
  } catch (error) {
    throw inOurWords(error);
  } finally {
    end();
  }
}

function toPiece(part: unknown): ChatPiece {
  if (part instanceof vscode.LanguageModelTextPart) return { type: "text", text: part.value };
  if (!(part instanceof vscode.LanguageModelToolCallPart)) return { type: "other" };
  return { type: "call", id: part.callId, name: part.name, input: part.input };
}

function toMessage({ role, parts }: ChatMessage): vscode.LanguageModelChatMessage {
  const isUser = role === "user";
  const who = isUser ? vscode.LanguageModelChatMessageRole.User : vscode.LanguageModelChatMessageRole.Assistant;
  return new vscode.LanguageModelChatMessage(who, parts.map(toPart));
}

type EditorPart = vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart | vscode.LanguageModelToolCallPart;

function toPart(part: ChatPart): EditorPart {
  if (part.type === "text") return new vscode.LanguageModelTextPart(part.text);
  if (part.type === "call") return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
  if (part.type === "result")
    return new vscode.LanguageModelToolResultPart(part.id, [new vscode.LanguageModelTextPart(part.text)]);
  // The types of the oldest VS Code know no pictures; `seesImages` says where they can be sent.
  return newer.LanguageModelDataPart?.image(part.data, part.mediaType) as unknown as EditorPart;
}

/** Cancels as the signal says. `end`: it is needed no more */
function cancellation(signal: AbortSignal) {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  const end = () => {
    signal.removeEventListener("abort", cancel);
    source.dispose();
  };
  return { token: source.token, end };
}

const codes: Record<string, EditorModelError["code"]> = {
  NoPermissions: "no-permission",
  Blocked: "blocked",
  NotFound: "not-found",
};

function inOurWords(error: unknown): unknown {
  if (!(error instanceof vscode.LanguageModelError)) return error;
  const code = codes[error.code];
  return code ? new EditorModelError(code, error.message) : error;
}
