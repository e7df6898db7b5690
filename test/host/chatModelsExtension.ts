/**
 * An extension of the tests that offers models to others, as Copilot's does. What they say is up to the test; which there are from
 * the start stands in models.json beside the folder that is open.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";

/** What `getExtension(…).exports` is. */
export interface ChatModels {
  /** How the next requests are answered, in this order; then it says that the script is over. */
  answers: Answer[];
  /** The requests so far: who spoke, and what, as text. */
  requests: { messages: { role: number; text: string }[]; tools: string[] }[];
  /** How often VS Code asked what is offered. */
  listed: number;
  /** Offers other models from now on. */
  offer(names: readonly string[]): void;
}

export interface ChatCall {
  id: string;
  name: string;
  input: object;
}
export type Answer = { text?: string; call?: ChatCall; refuse?: "Blocked" | "NoPermissions" | "NotFound" } | "wait";

interface Information {
  id: string;
  name: string;
  family: string;
  version: string;
  maxInputTokens: number;
  maxOutputTokens: number;
  capabilities: { toolCalling: boolean };
}

interface Message {
  role: number;
  content: unknown[];
}

/** Newer than the types of the oldest VS Code that Strata runs in. */
interface Newer {
  registerLanguageModelChatProvider(vendor: string, provider: object): vscode.Disposable;
}

export function activate(context: vscode.ExtensionContext): ChatModels {
  const changed = new vscode.EventEmitter<void>();
  const file = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "", "..", "models.json");
  let names: readonly string[] = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
  const models: ChatModels = {
    answers: [],
    requests: [],
    listed: 0,
    offer(others) {
      names = others;
      changed.fire();
    },
  };
  const provider = {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: () => {
      models.listed += 1;
      return names.map(information);
    },
    async provideLanguageModelChatResponse(
      _model: Information,
      messages: readonly Message[],
      { tools = [] }: { tools?: readonly { name: string }[] },
      progress: vscode.Progress<unknown>,
      token: vscode.CancellationToken,
    ): Promise<void> {
      models.requests.push({
        messages: messages.map(({ role, content }) => ({ role, text: JSON.stringify(content) })),
        tools: tools.map(tool => tool.name),
      });
      const answer = models.answers.shift() ?? { text: "The script is over." };
      if (answer === "wait") {
        progress.report(new vscode.LanguageModelTextPart("Half of "));
        await new Promise<void>(resolve => token.onCancellationRequested(() => resolve()));
        return;
      }
      if (answer.refuse) throw vscode.LanguageModelError[answer.refuse]("The month is used up.");
      if (answer.text) progress.report(new vscode.LanguageModelTextPart(answer.text));
      const { call } = answer;
      if (call) progress.report(new vscode.LanguageModelToolCallPart(call.id, call.name, call.input));
    },
    provideTokenCount: async (_: Information, text: string | Message) =>
      (typeof text === "string" ? text : JSON.stringify(text.content)).split(/\s+/).length,
  };
  const { registerLanguageModelChatProvider: register } = vscode.lm as unknown as Newer;
  context.subscriptions.push(register("strata-test", provider), changed);
  return models;
}

const information = (name: string): Information => ({
  ...{ id: name, name: `The ${name} one`, family: "test", version: "1" },
  ...{ maxInputTokens: 50_000, maxOutputTokens: 4_000, capabilities: { toolCalling: true } },
});
