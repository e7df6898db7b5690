/**
 * Which sentences of rules files are bound, could be, or are guidance that no rule holds: by the forms of sentences.json, in English and
 * Chinese. A wrong proposal is worse than a missed one: a sentence with any word that no form has stays guidance. (docs/permissions.md)
 */
import { fenceAfter } from "../../shared/fences";
import { t } from "../../shared/l10n";
import type { RuleFile, Rules, SettingsSource } from "../ground/ports";
import { oneLine } from "../ground/text/format";
import type { ReportSection } from "../ground/text/report";
import type { BindingEntry, BindingRules, BoundSentence, SentencePlace } from "./bindings";
import { boundSentences } from "./bindings";
import { wildcard } from "./rules";
import table from "./sentences.json";

export interface Bindings {
  /** `isStale`: its file, read now, does not have the sentence */
  bound: (BoundSentence & { isStale: boolean })[];
  /** `against`: another sentence that demands what this one forbids: neither is bound */
  proposed: { entry: BindingEntry; against?: SentencePlace | undefined }[];
  guidance: SentencePlace[];
}

/** Sentences of all files. */
const MAX_READ = 3_000;

/** A full stop more or less, or another case, is the same sentence. */
const placed = ({ file, sentence }: SentencePlace) =>
  `${file}\n${sentence.toLowerCase().replace(/(?<![.!。！\s])[.!。！\s]+$/u, "")}`;

/** In the files at the roots, and in those that sentences are bound of. */
export function bindingsNow(rules: { read: Rules["read"] }, settings: SettingsSource) {
  const files = new Set(boundSentences(settings).map(({ entry }) => entry.file));
  return rules.read([...files].filter(Boolean)).then(read => bindingsIn(read, settings));
}

export function bindingsIn(files: readonly RuleFile[], settings: SettingsSource): Bindings {
  const forms = new SentenceForms();
  const read = files.flatMap(({ path: file, text }) => forms.statements(text).map(each => ({ ...each, file })));
  const all = [...new Map(read.slice(0, MAX_READ).map(each => [placed(each), each]))].map(([key, each]) => {
    const { file, sentence } = each;
    const entry = each.as && { file, sentence, ...each.as };
    const checks = (each.as?.check ?? []).map(command => `Bash(${command} *)`);
    return { ...each, key, entry, wanted: [...each.wanted, ...checks] };
  });
  const said = new Set(all.map(({ key }) => key));
  // Of a file that could not be read nothing is known.
  const isRead = ({ file }: SentencePlace) => file !== "" && !files.some(each => each.path === file && each.problem);
  const isStale = (entry: SentencePlace) => !said.has(placed(entry)) && isRead(entry);
  const bound = boundSentences(settings).map(each => ({ ...each, isStale: isStale(each.entry) }));
  const open = all.filter(({ key }) => !bound.some(({ entry }) => placed(entry) === key));
  type Known = (typeof all)[number];
  const forbids = ({ entry }: Known, { wanted }: Known) =>
    wanted.some(rule => entry?.deny?.some(each => wildcard(each, rule)));
  const against = (each: Known) => all.find(other => forbids(each, other) || forbids(other, each));
  return {
    bound,
    proposed: open.flatMap(each => (each.entry ? [{ entry: each.entry, against: against(each) }] : [])),
    guidance: open.filter(({ entry, tells }) => !entry && tells),
  };
}

export const rulesOf = ({ file, sentence, ...held }: BindingEntry): string[] =>
  Object.entries(held).flatMap(([kind, all = []]) => all.map(each => `${kind}: ${each}`));

/** Those that are bound, and those that could be: for people. */
export function bindingSections({ bound, proposed }: Bindings): [held: ReportSection, open: ReportSection] {
  const line = (entry: BindingEntry, from: string, ...warnings: string[]) => ({
    ...{ label: entry.sentence, text: rulesOf(entry).join("\n"), from, warnings },
  });
  const stale = (file: string) => t("{0} here does not say this, or not any more. It holds until you unbind it.", file);
  const unlike = ({ file, sentence }: SentencePlace) =>
    t("{0} says: “{1}”. They disagree, so nothing is bound.", file, sentence);
  const held = bound.map(({ entry, place, isStale }) =>
    line(entry, [entry.file, place].filter(Boolean).join(" · "), ...(isStale ? [stale(entry.file)] : [])),
  );
  const open = proposed.map(({ entry, against }) => line(entry, entry.file, ...(against ? [unlike(against)] : [])));
  return [
    { title: t("Sentences that bind"), lines: held },
    { title: t("Sentences that could bind"), lines: open },
  ];
}

/** A title, a paragraph or an item of a list; its depth says which are above. */
interface Passage {
  depth: number;
  text: string;
  above: readonly Passage[];
}
const PARAGRAPH = 7;

/** No form has a longer one. */
const MAX_SENTENCE = 400;

/** `<NAME>` is the part of that name. */
function form(text: string): RegExp {
  const parts: Readonly<Record<string, string>> = table.parts;
  const whole = (source: string): string => source.replace(/<([A-Z_]+)>/g, (_, name) => whole(parts[name] ?? ""));
  return new RegExp(whole(text), "iu");
}

const formsOf = <Of extends object>(of: Of) =>
  Object.fromEntries(Object.entries(of).map(([name, text]) => [name, form(text)])) as Record<keyof Of, RegExp>;
const changesOf = (of: readonly string[][]) => of.map(([from = "", to = ""]) => [form(from), to] as const);
const changed = (text: string, changes: ReturnType<typeof changesOf>) =>
  changes.reduce((left, [from, to]) => left.replace(from, to), text);
const groupsOf = (forms: readonly RegExp[], text: string) =>
  forms.map(each => each.exec(text)).find(found => found !== null)?.groups;

/** Built anew for a page that shows them: no start pays for them. */
class SentenceForms {
  private readonly one = formsOf(table.one);
  private readonly forbids = table.lists.forbids.map(form);
  private readonly unlessAsked = table.lists.unlessAsked.map(form);
  private readonly asks = table.lists.asks.map(form);
  private readonly demandsCheck = table.lists.checks.map(form);
  private readonly rephrased = changesOf(table.rephrased);
  private readonly chinese = changesOf(table.chinese);
  private readonly actions = table.actions.map(action => ({
    ...action,
    said: form(`^\\s*(?:(?:directly|manually|ever|automatically)\\s+)*(?:${action.said})`),
  }));

  /** `as`: undefined where no form has it; `wanted`: rules that would forbid what it tells to do. */
  statements(text: string) {
    const all = passagesOf(text).flatMap(each => this.sentencesIn(each));
    return all.map(({ said, read }, at) => {
      // The next one may take some back.
      const isLimited = said.length > MAX_SENTENCE || this.one.exception.test(all[at + 1]?.said ?? "");
      const as = isLimited || read === undefined ? undefined : this.heldBy(changed(read, this.rephrased));
      const sentence = oneLine(said, MAX_SENTENCE);
      return { sentence, as, tells: this.one.tells.test(sentence), wanted: this.wantedBy(sentence) };
    });
  }

  /** Commands as they are run; with a gap to be filled, or one that does not end, none. */
  checks(text: string): BindingRules | undefined {
    const check = [...text.matchAll(/`([^`]+)`/g)].map(([, command = ""]) => command.trim());
    const isRun = (command: string) => /^[a-z.][\w./-]*\s/.test(command) || this.one.command.test(command);
    return check.every(each => isRun(each) && !this.one.notChecked.test(each)) ? { check } : undefined;
  }

  private heldBy(read: string): BindingRules | undefined {
    const commands = groupsOf(this.demandsCheck, read)?.list;
    if (commands !== undefined) return this.one.limits.test(read) ? undefined : this.checks(commands);
    const forbidden = groupsOf(this.forbids, read)?.act;
    const asked = forbidden === undefined ? groupsOf(this.asks, read)?.act : groupsOf(this.unlessAsked, forbidden)?.act;
    const rules = this.ruled(this.inEnglish(asked ?? forbidden ?? ""));
    // A push that names no branch is asked about at most.
    const mayDeny = (rule: string) => asked === undefined && !rule.startsWith("?");
    const [deny = [], ask = []] = [true, false].map(is => rules?.filter(rule => mayDeny(rule) === is));
    const plain = ask.map(rule => rule.replace(/^\?/, ""));
    return rules && { ...(deny.length > 0 && { deny }), ...(ask.length > 0 && { ask: plain }) };
  }

  private wantedBy(said: string): readonly string[] {
    const told = this.inEnglish(said.replace(this.one.lead, ""));
    return (/^\p{L}/u.test(told) && this.actionOf(told)?.rules) || [];
  }

  /** Of one thing or several, all that is said of them. */
  private ruled(act: string): string[] | undefined {
    const found = this.actionOf(act);
    if (!found || this.isWhole(found.rest)) return found?.rules;
    const more = this.one.more.exec(found.rest)?.groups?.act;
    const others = more === undefined ? undefined : this.ruled(more);
    return others && [...found.rules, ...others];
  }

  /** Rules for an action's first words, and the words behind them. Of a list all, or nothing: half a list is another sentence. */
  private actionOf(act: string) {
    for (const { said, of, rules, folder } of this.actions) {
      const found = said.exec(act);
      if (!found) continue;
      const list = found.groups?.list ?? "";
      const isFolder = /\b(?:files?|anything|folders?|director(?:y|ies))\b/i.test(found[0].replace(list, ""));
      const names = list.split(this.one.join).map(name => name.replaceAll("`", "").trim());
      const places = of === "" ? [""] : names.map(name => this.placeOf(of, name, isFolder));
      if (places.includes(undefined)) continue;
      const all = places.flatMap((place = "") => {
        const isWhole = of === "path" && place.endsWith("/");
        return (isWhole ? folder : rules).map(rule => rule.replace("{}", isWhole ? place.slice(0, -1) : place));
      });
      // An option may come later too.
      const later = all.flatMap(rule => [rule, rule.replace(/(?<!\*) (?=--\w)/, " * ")]);
      return { rules: [...new Set(later)], rest: act.slice(found[0].length) };
    }
    return undefined;
  }

  /** What a rule has for a name; undefined: it is no such thing. Of a name alone, only words beside it say that it is a folder. */
  private placeOf(of: string, name: string, isFolder: boolean): string | undefined {
    if (of === "branch") return this.one.branch.exec(name)?.groups?.name;
    if (of === "command") {
      const command = name.replace(/\s*(?:\*|\.\.\.|…)\s*$/, "");
      return this.one.command.test(command) ? command : undefined;
    }
    const path = name.replace(/^\.?\//, "").replace(/\/$/, "");
    if (!this.one.path.test(name.replace(/(?<=.)\/$/, ""))) return undefined;
    const isFile = this.one.file.test(path);
    return name.endsWith("/") || (isFolder && !isFile) ? `${path}/` : isFile ? path : undefined;
  }

  /** Nothing follows but a reason, or what to do instead. */
  private isWhole(rest: string): boolean {
    const behind = rest.replace(this.one.tail, "");
    if (/^[\s.!。！)）]*$/.test(behind)) return true;
    const { because, why = because } = this.one.why.exec(behind)?.groups ?? {};
    if (why === undefined || this.one.limits.test(why)) return false;
    return this.one.reason.test(why) || (this.one.instead.test(why) && !this.one.when.test(why));
  }

  /** Chinese in the words that the table of actions has. */
  private inEnglish(act: string): string {
    const plain = act.replace(/[\s。！!]+$/u, "").trim();
    return /\p{Script=Han}/u.test(act) ? changed(plain, this.chinese).trim() : plain;
  }

  /**
   * Read with the words above: "Never" makes of "push to main" what it means. Under other conditions, or in an example, nothing
   * is read.
   */
  private sentencesIn({ text, above }: Passage): { said: string; read: string | undefined }[] {
    const { one } = this;
    const plain = withoutMarks(text);
    const before = one.label.exec(unquoted(plain))?.groups?.label ?? "";
    const label = !one.startsNever.test(before) || one.neverHead.test(before) ? before : "";
    const leads = above.filter(block => block.depth !== PARAGRAPH || /[:：]\W{0,4}$/.test(block.text));
    const heads = [...leads.map(block => withoutMarks(block.text)), label]
      .filter(Boolean)
      .map(each => each.slice(0, MAX_SENTENCE).replace(/(?<![:：.!\s])[:：.!\s]+$/, ""));
    const head = heads.at(-1) ?? "";
    const kind = [one.momentHead, one.askHead, one.neverHead].find(each => each.test(head));
    const others = kind ? heads.slice(0, -1) : heads;
    const isOwn = kind !== undefined || label === "" || one.neutral.test(head);
    const isScoped = !isOwn || others.some(each => one.scoped.test(each));
    const lead =
      kind === one.momentHead ? `${head},` : kind === one.askHead ? "ask before" : head.replace(one.headTail, "");
    const body = label === "" ? plain : plain.slice(label.length + 1);
    const uncoded = unquoted(body).replace(/`[^`]*`/g, found => "c".repeat(found.length));
    const at = [0, ...[...uncoded.matchAll(SENTENCE_END)].map(end => end.index + end[0].length), body.length];
    return at.slice(1).flatMap((end, place) => {
      const said = trimmed(body.slice(at[place], end));
      const own = unquoted(said);
      if (!/\p{L}{2}|`/u.test(said)) return [];
      const isLed = place === 0 && (kind !== undefined || label !== "");
      const led = one.startsNever.test(own) ? undefined : `${lead} ${own.slice(0, 1).toLowerCase()}${own.slice(1)}`;
      const read = isLed && kind !== undefined ? led : own;
      return [{ said: isLed ? `${head}: ${said}` : said, read: isScoped ? undefined : read }];
    });
  }
}

/** "…; never edit them" is of the words before it. */
const SENTENCE_END =
  /(?<!\b(?:e\.g|i\.e|etc|vs)|[.!?])[.!?]+(?=\s|$)|[。！？；]+|;(?!\s*(?:so\s+)?(?:do not|don[’']t|never)\s+\S+\s+(?:it|them|these|this)\b)/gi;

const trimmed = (text: string) => text.trim().replace(/(?<![;；\s])[;；\s]+$/, "");

/** Of the same length: quotations cannot be read. */
const unquoted = (text: string) =>
  text.replace(/"[^"]*"|“[^“”]*”|「[^「」]*」|~~[^~]+~~/g, found => "❞".repeat(found.length));

/** Without emphasis, links and pictures; code stays. */
const withoutMarks = (text: string): string =>
  text
    .replace(/(`[^`]*`)|\[([^\][]*)\]\([^()]*\)|\*+|(?<!\w)_+|_+(?!\w)|\p{Extended_Pictographic}|\ufe0f/gu, "$1$2")
    .replace(/\s+/g, " ")
    .trim();

/** No code but commands to be run, no quotations, no tables. */
function passagesOf(text: string): Passage[] {
  const blocks: Passage[] = [];
  let [above, fence, open]: [Passage[], string | undefined, Passage | undefined] = [[], undefined, undefined];
  const lines = text.replace(/^---\n[\s\S]*?\n---\n/, "").replace(/<!--[\s\S]*?(?:-->|$)/g, "");
  for (const line of lines.split(/\r\n|\r|\n/)) {
    const before = fence;
    fence = fenceAfter(before, line);
    const begun = /^(?:(#{1,6})|(\s*)(?:[-*+]|\d{1,3}[.)])(?:\s+\[[ xX]\])?)\s+(.*)/.exec(line);
    if (before !== undefined || fence !== undefined || /^\s*(?:[>|]|$)/.test(line)) {
      if (before !== undefined && fence !== undefined) addCommand(blocks.at(-1), line.trim());
      open = undefined;
    } else if (!begun && open) open.text += ` ${line.trim()}`;
    else if (begun || above.at(-1)?.depth !== PARAGRAPH || !/^(?: {4}|\t)/.test(line)) {
      const [, title, space = "", words = line.trim()] = begun ?? [];
      const depth = title?.length ?? (begun ? PARAGRAPH + 1 + space.length : PARAGRAPH);
      above = above.filter(block => block.depth < depth);
      const block = { depth, text: words, above };
      open = title === undefined ? block : undefined;
      if (open) blocks.push(block);
      above = [...above, block];
    }
  }
  return blocks;
}

/** "Before you commit, run:" has the commands below as its end. */
function addCommand(asking: Passage | undefined, command: string): void {
  if (!asking || command === "" || /^#|`/.test(command) || asking.text.length > MAX_SENTENCE) return;
  const [, words] = /^(.*\b(?:run|execute)|.*(?:运行|执行))\s*[:：]$/is.exec(asking.text) ?? [];
  if (words !== undefined) asking.text = `${words} \`${command}\``;
  else if (/(?:run|execute|运行|执行)(?:,? `[^`]*`){1,9}$/i.test(asking.text)) asking.text += `, \`${command}\``;
}
