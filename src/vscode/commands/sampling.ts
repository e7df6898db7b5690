/** An MCP server asks the person's model: the person sees the exact text first, each time. */
import * as vscode from "vscode";
import { ErrorForPeople, type SamplingRequest } from "../../core/ports";
import { answerSampling, sampledText } from "../../core/smallCalls/sampling";
import { exactText } from "../../shared/shown";
import { saysYes } from "../platform/messages";
import type { GenerateCommitMessageDeps } from "./commitMessage";

/** characters that a dialog shows whole on a small screen */
const IN_DIALOG = 1_500;

type SampleDeps = Pick<GenerateCommitMessageDeps, "redactor"> & Parameters<typeof answerSampling>[2];
type Sample = (request: SamplingRequest, signal: AbortSignal) => Promise<{ text: string; model: string }>;

/** It rejects with ErrorForPeople: the person said no, no model answers, or the text is too long. One question at a time. */
export function sampling(deps: () => SampleDeps): Sample {
  let isAsking = false;
  return async (request, signal) => {
    if (isAsking) throw new Refused("The user is being asked something like it already: try again later.");
    isAsking = true;
    try {
      const { redactor, ...others } = deps();
      await redactor.refresh("workspace");
      const text = sampledText(request, redactor);
      if (!(await isAllowed(text, request))) throw new Refused("The user did not allow it.");
      signal.throwIfAborted();
      return await answerSampling(text, request, others, signal);
    } finally {
      isAsking = false;
    }
  };
}

async function isAllowed(text: string, { server, maxTokens }: SamplingRequest): Promise<boolean> {
  const isLong = text.length > IN_DIALOG;
  if (isLong) {
    const content = exactText(text);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }));
  }
  const question = `Let the MCP server ${server} send this to your model? Its answer may take ${maxTokens} tokens.`;
  return saysYes(question, isLong ? "The whole text is in the editor behind this question." : text, "Send");
}

class Refused extends ErrorForPeople {
  override readonly name = "Refused";
}
