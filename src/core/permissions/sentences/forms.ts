/**
 * What sentences forbid, want to be asked about or demand, by the forms of forms.json, in English and Chinese. A wrong proposal is worse
 * than a missed one: a sentence with any word that no form has stays guidance. Texts have at most 400 characters.
 */
import { isKnown } from "../plain/programKinds";
import table from "./forms.json";

/** An entry of the setting: one of these. */
export interface BindingRule {
  deny?: string | undefined;
  ask?: string | undefined;
  check?: string | undefined;
}

interface RuleForms {
  rules: readonly string[];
  /** asked about at most: a push that names no branch */
  ask: readonly string[];
  /** the words behind it */
  rest: string;
}

/** `<NAME>` is the part of that name. */
function form(text: string): RegExp {
  const parts: Readonly<Record<string, string>> = table.parts;
  const whole = (source: string): string => source.replace(/<([A-Z_]+)>/g, (_, name) => whole(parts[name] ?? ""));
  return new RegExp(whole(text), "iu");
}
export const startsNever = form(table.startsNever);
export const neverHead = form(table.neverHead);
export const askHead = form(table.askHead);
export const momentHead = form(table.momentHead);
const [forbids, unlessAsked] = [table.forbids.map(form), table.unlessAsked.map(form)];
const [asks, checks, demands] = [table.asks.map(form), table.checks.map(form), form(table.demands)];
const [notChecked, program, file] = [form(table.notChecked), form(table.program), form(table.file)];
const [tail, limits, when, reason] = [form(table.tail), form(table.limits), form(table.when), form(table.reason)];
const instead = form(table.instead);
const actions = table.actions.map(each => ({
  ...{ of: "", folder: each.rules, ask: [], ...each },
  said: form(`^\\s*(?:(?:directly|manually|ever|automatically)\\s+)*(?:${each.said})`),
}));
const chinese = table.chinese.map(([from = "", to = ""]) => [form(from), to] as const);

/** undefined: it has no form, or says more than the form does. */
export function boundAs(read: string): BindingRule[] | undefined {
  const commands = firstOf(checks, read)?.list;
  if (commands !== undefined) return checkCommands(commands);
  const forbidden = firstOf(forbids, read)?.act;
  const asked = forbidden === undefined ? firstOf(asks, read)?.act : firstOf(unlessAsked, forbidden)?.act;
  const act = asked ?? forbidden;
  const found = act === undefined ? undefined : ruled(inEnglish(act));
  return (
    found && [
      ...found.rules.map(rule => (asked === undefined ? { deny: rule } : { ask: rule })),
      ...found.ask.map(ask => ({ ask })),
    ]
  );
}

/** The rules that would hold what a sentence tells to do: what forbids it, disagrees. */
export function demanded(read: string): readonly string[] {
  const always = demands.exec(read)?.groups?.act;
  const found = actionOf(inEnglish(always ?? read));
  return found && (always !== undefined || isWhole(found.rest)) ? found.rules : [];
}

function firstOf(forms: readonly RegExp[], text: string): Readonly<Record<string, string | undefined>> | undefined {
  for (const each of forms) {
    const found = each.exec(text);
    if (found) return found.groups;
  }
  return undefined;
}

/** Commands as they are run; with a gap to be filled, or one that does not end, none. */
function checkCommands(text: string): BindingRule[] | undefined {
  const all = [...text.matchAll(/`([^`]+)`/g)].map(([, command = ""]) => command.trim());
  const isRun = (command: string) =>
    /^[a-z.][\w./-]*(?:\s|$)/.test(command) &&
    (/\s/.test(command) || commandOf(command) !== undefined) &&
    !notChecked.test(command);
  return all.every(isRun) ? all.map(check => ({ check })) : undefined;
}

/** Of one thing or several, all that is said of them. */
function ruled(act: string): RuleForms | undefined {
  const found = actionOf(act);
  if (!found || isWhole(found.rest)) return found;
  const [, more] = /^\s*(?:,\s*(?:or|and|nor)?|or|and|nor|、|或|和)\s+(.+)$/su.exec(found.rest) ?? [];
  const others = more === undefined ? undefined : ruled(more);
  if (others) return { ...others, rules: [...found.rules, ...others.rules], ask: [...found.ask, ...others.ask] };
  // Of "a or b" the part that is known holds by itself.
  const isApart = more !== undefined && /^\s*,?\s*or\s/.test(found.rest) && !limits.test(more) && !when.test(more);
  return isApart ? found : undefined;
}

/** Rules for an action's first words. Of a list all, or nothing: half a list is another sentence. */
function actionOf(act: string): RuleForms | undefined {
  for (const { said, of, rules, folder, ask } of actions) {
    const found = said.exec(act);
    if (!found) continue;
    const { list = "", folder: isFolder } = found.groups ?? {};
    const names = [...list.matchAll(/`[^`]*`|rm -rf?|[^\s,、/][^\s,、]*/gu)].map(([name]) => name.replaceAll("`", ""));
    const places =
      of === "" ? [""] : names.filter(name => !JOINS.test(name)).map(name => placeOf(of, name, isFolder !== undefined));
    if (places.includes(undefined)) continue;
    const all = places.flatMap((place = "") =>
      (place.endsWith("/") ? folder : rules).map(rule => rule.replace("{}", place.replace(/\/$/, ""))),
    );
    // An option may come later too.
    const later = all.flatMap(rule => [rule, rule.replace(/(?<!\*) (?=--\w)/, " * ")]);
    return { rules: [...new Set(later)], ask, rest: act.slice(found[0].length) };
  }
  return undefined;
}
const JOINS = /^(?:or|and|nor|the|或者?|和|与|及)$/i;

/** What a rule has for a name; undefined: it is no such thing. */
function placeOf(of: string, name: string, isFolder: boolean): string | undefined {
  if (of === "command") return commandOf(name);
  if (of === "branch")
    return /^(?!(?:origin|upstream)$)[\w./-]+$/.test(name) ? name.replace(/^origin\//, "") : undefined;
  const path = name.replace(/^\.\//, "").replace(/\/$/, "");
  if (
    !/^(?:~\/)?[\p{L}\p{N}_.@*{},[\]-]+(?:\/[\p{L}\p{N}_.@*{},[\]-]+)*$/u.test(path) ||
    /^(?:\.{1,2}|\*+)$/.test(path)
  )
    return undefined;
  // Of a name alone, only "the `x` folder" says that it is one.
  if (name.endsWith("/") || (isFolder && /^[\w.-]+$/.test(path))) return `${path}/`;
  return file.test(path) ? path : path.includes("/") ? `${path}/` : undefined;
}

function commandOf(written: string): string | undefined {
  const command = written
    .trim()
    .replace(/\s*(?:\*|\.\.\.|…)$/, "")
    .replace(/\s+/g, " ");
  const [name = ""] = command.split(" ");
  return (isKnown(name) || program.test(name)) && !/[<>|;&{}()$"'*]/.test(command) ? command : undefined;
}

/** Nothing follows but a reason, or what to do instead. */
function isWhole(rest: string): boolean {
  const behind = rest.replace(tail, "");
  if (/^[\s.!。！)]*$/.test(behind)) return true;
  const [, ...whys] = /^\s*(?:[,;:—–(，：（-]+\s*)(.+)$|^\s*(?=because\b|since\b|因为)(.+)$/su.exec(behind) ?? [];
  const why = whys.find(each => each !== undefined);
  if (why === undefined || limits.test(why)) return false;
  return reason.test(why) || (instead.test(why) && !when.test(why));
}

/** Chinese in the words that the table of actions has. */
const inEnglish = (act: string): string =>
  /\p{Script=Han}/u.test(act)
    ? chinese.reduce((text, [from, to]) => text.replace(from, to), act.replace(/[\s。！!]+$/u, "").trim()).trim()
    : act.trim();
