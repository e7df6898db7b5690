/** An MCP server asks the person's model: the person sees the exact text first, each time. */
import * as vscode from "vscode";
import { ErrorForPeople, type SamplingRequest } from "../../core/ports";
import { answerSampling, sampledText } from "../../core/smallCalls/sampling";
import { exactText } from "../../shared/shown";
import { saysYes } from "../platform/messages";
import type { GenerateCommitMessageDeps } from "./commitMessage";

/** characters that a dialog shows whole on a small screen */
const IN_DIALOG = 1_500;

/** Rejects with ErrorForPeople: the person said no, no model answers, or the text is too long. */
export async function sample(
  request: SamplingRequest,
  deps: Pick<GenerateCommitMessageDeps, "redactor"> & Parameters<typeof answerSampling>[2],
  signal: AbortSignal,
): Promise<{ text: string; model: string }> {
  await deps.redactor.refresh("workspace");
  const text = sampledText(request, deps.redactor);
  const shown = exactText(text);
  const isLong = shown.length > IN_DIALOG;
  if (isLong) await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: shown }));
  const detail = isLong ? "The whole text is in the editor behind this question." : shown;
  const question = `Let the MCP server ${request.server} send this to your model? It costs up to ${request.maxTokens} tokens of answer.`;
  if (!(await saysYes(question, detail, "Send"))) throw new Refused("The user did not allow it.");
  signal.throwIfAborted();
  return answerSampling(text, request, deps, signal);
}

class Refused extends ErrorForPeople {
  override readonly name = "Refused";
}
