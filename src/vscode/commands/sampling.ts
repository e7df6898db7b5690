/** An MCP server asks the person's model: the person sees the exact text first, each time. */
import * as vscode from "vscode";
import { askedSampling, type Sample, type SamplingDeps } from "../../core/agent/smallCalls/sampling";
import type { SamplingRequest } from "../../core/ground/ports";
import { locale, t } from "../../shared/l10n";
import { exactText } from "../../shared/shown";
import { saysYes } from "../platform/messages";

/** characters that a dialog shows whole on a small screen */
const IN_DIALOG = 1_500;

export const sampling = (deps: () => SamplingDeps): Sample => askedSampling(deps, isAllowed);

async function isAllowed(text: string, { server, maxTokens }: SamplingRequest): Promise<boolean> {
  const isLong = text.length > IN_DIALOG;
  if (isLong) {
    const content = exactText(text);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }));
  }
  const most = maxTokens.toLocaleString(locale());
  const question = t("Let the MCP server {0} send this to your model? The answer may use {1} tokens.", server, most);
  return saysYes(question, isLong ? t("The full text is open in the editor.") : text, t("Send"));
}
