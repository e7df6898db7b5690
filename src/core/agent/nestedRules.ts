/** Rules of folders below the roots: they come with the first Read below their folder (CONTEXT.md, sections 1 and 8). */
import { ruleText } from "../context/layers";
import type { Conversation } from "../history/conversation";
import type { History } from "../history/history";
import type { FileRef, Hash, Redactor, Rules } from "../ports";
import type { Inject } from "../toolkit/tool";
import { InjectionLimitError, withoutTags } from "./injections";

export interface NestedRulesDeps {
  rules: Pick<Rules, "nested">;
  history: History;
  inject: Inject;
  hash: Hash;
  redactor: Pick<Redactor, "redact">;
}

/** Injects what the request does not have yet. Rejects with StorageError. */
export async function injectNestedRules(file: FileRef, deps: NestedRulesDeps): Promise<void> {
  const { conversation } = deps.history;
  for (const rule of await deps.rules.nested(file)) {
    // Those that moved to L2 are read anew for every request.
    if (conversation.nestedRules.includes(rule.path)) continue;
    const source = `rules:${rule.path}`;
    const text = withoutTags(deps.redactor.redact(ruleText(rule)));
    const before = standingText(conversation, source);
    if (before?.includes(text)) continue;
    const news =
      before === undefined ? text : `This file changed; what follows replaces what it said before.\n\n${text}`;
    try {
      deps.inject.injectSystemOnce(news, `${source} ${deps.hash.sha256(text)}`, source);
    } catch (error) {
      if (!(error instanceof InjectionLimitError)) throw error;
      await noteOnce(deps.history, error.message);
    }
  }
}

/** What was injected of a source last, where it still stands among the messages. */
function standingText({ messages, injectedMessages }: Conversation, source: string): string | undefined {
  const message = messages.findLast(({ id }) => injectedMessages.get(id) === source);
  const part = message?.parts[0];
  return part?.type === "data-reminder" ? part.data.text : undefined;
}

/** The file was read all the same: people hear what the model does not know. */
async function noteOnce(history: History, text: string): Promise<void> {
  if (history.records.some(record => record.kind === "note" && record.text === text)) return;
  await history.append({ kind: "note", level: "warning", code: "injection-limit", text });
}
