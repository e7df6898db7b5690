/**
 * Injected text for the model: what tools and rules of folders inject into a turn is kept until the log is at a place
 * where it may stand (docs/context.md).
 */
import type { NewRecord } from "../../shared/records";
import { reminder, ruleText } from "../context/layers";
import { noteRules } from "../context/requests/requestBuilder";
import type { FileRef, Hash, Ids, Rules, TextRedactor } from "../ground/ports";
import { sanitizeText } from "../ground/text/format";
import { rulesSource, skillSource, sourceSkill } from "../ground/text/sources";
import type { KnownSkills } from "../guidance/skills/knownSkills";
import type { Skill } from "../guidance/skills/parse";
import { skillText } from "../guidance/skills/texts";
import type { Conversation } from "../log/conversation";
import type { History } from "../log/history";
import { planNews, revertNews, reviewNews } from "../log/putBacks";
import type { Inject } from "../tool/tool";

export class Injections implements Inject {
  private waiting: Extract<NewRecord, { kind: "inject" }>[] = [];

  constructor(
    private readonly turn: { turn: number; runId: string },
    private readonly deps: { history: History; ids: Ids; redactor: TextRedactor },
  ) {}

  injectSystemOnce(text: string, asked: string, source: string): boolean {
    const { history, ids, redactor } = this.deps;
    const { injected } = history.conversation;
    // As the log has it: nothing gets there unredacted.
    const fingerprint = redactor.redact(asked);
    const has =
      injected.get(fingerprint) === this.turn.runId || this.waiting.some(each => each.fingerprint === fingerprint);
    if (has || text.trim() === "") return false;
    const { turn, runId } = this.turn;
    const messageId = ids.next("msg");
    const record = { kind: "inject", messageId, turn, runId, place: "end", source, fingerprint } as const;
    this.waiting.push({ ...record, text: injectedText(text) });
    return true;
  }

  /**
   * Puts what was taken since into the history, with the user's news for the model: edits taken back or made again, a plan ended.
   * Called where no assistant's message waits for its results. Rejects with StorageError: then nothing was added, and the next call
   * tries again.
   */
  async settle(): Promise<void> {
    const { conversation } = this.deps.history;
    const all = [revertNews(conversation), reviewNews(conversation), planNews(conversation)];
    for (const news of all) if (news) this.injectSystemOnce(news.text, news.fingerprint, news.source);
    // A continued turn has sent requests: the text before its end must not change.
    const place = conversation.step === 0 && conversation.end?.turn !== this.turn.turn ? "before" : "end";
    const records = this.waiting.map(record => ({ ...record, place }) as const);
    if (records.length === 0) return;
    await this.deps.history.write(records);
    this.waiting = this.waiting.slice(records.length);
  }
}

/** As the record of an injected text has it. */
export const injectedText = (text: string): string => reminder(withoutTags(text));

/** Reminder tags stand once, around the whole; inside, a text that brings its own is not to end the reminder early. */
function withoutTags(text: string): string {
  const wrapped = /^\s*<system-reminder>\n?([\s\S]*?)\n?<\/system-reminder>\s*$/.exec(text);
  return sanitizeText((wrapped?.[1] ?? text).replace(/<(\/?system-reminder)>/g, "[$1]"));
}

// Rules of folders below the roots.

interface NestedRulesDeps {
  rules: Rules;
  history: History;
  inject: Inject;
  hash: Hash;
  redactor: TextRedactor;
}

/** The rules of the folders around a file come with its first Read, where the request lacks them. Rejects with StorageError. */
export async function injectNestedRules(file: FileRef, deps: NestedRulesDeps): Promise<void> {
  const { conversation } = deps.history;
  const rules = await deps.rules.nested(file);
  await noteRules(rules, deps.history);
  for (const rule of rules) {
    if (rule.problem !== undefined) continue;
    // Those that moved to L2 are read anew for every request.
    if (conversation.nestedRules.includes(rule.path)) continue;
    const source = rulesSource(rule.path);
    const text = deps.redactor.redact(withoutTags(ruleText(rule)));
    const before = standingText(conversation, source);
    if (before?.includes(text)) continue;
    const news =
      before === undefined ? text : `This file changed; what follows replaces what it said before.\n\n${text}`;
    deps.inject.injectSystemOnce(news, `${source} ${deps.hash.sha256(text)}`, source);
  }
}

// Skills.

/** The skill's present text is in the conversation or in L2. */
export function standsAsSkill(skill: Skill, skills: KnownSkills, conversation: Conversation): boolean {
  const { injected, activeSkills } = conversation;
  if (activeSkills.includes(skill.name)) return true;
  return injected.has(skills.fingerprint(skill)) && standingText(conversation, skillSource(skill.name)) !== undefined;
}

/** A skill in use whose file changed comes again with the next turn. Those in L2 are read anew anyway. */
export function injectChangedSkills(skills: KnownSkills, conversation: Conversation, inject: Inject): void {
  for (const source of new Set(conversation.injectedMessages.values())) {
    const skill = skills.find(sourceSkill(source) ?? "");
    if (!skill || standsAsSkill(skill, skills, conversation)) continue;
    const text = `This skill changed; what follows replaces what it said before.\n\n${skillText(skill)}`;
    inject.injectSystemOnce(text, skills.fingerprint(skill), source);
  }
}

/** The newest injected text of a source that is still among the messages. */
export function standingText({ messages, injectedMessages }: Conversation, source: string): string | undefined {
  const message = messages.findLast(({ id }) => injectedMessages.get(id) === source);
  const part = message?.parts[0];
  return part?.type === "data-reminder" ? part.data.text : undefined;
}
