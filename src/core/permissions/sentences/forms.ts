/**
 * What sentences forbid, want to be asked about or demand, by the forms of forms.json, in English and Chinese. A wrong proposal is worse
 * than a missed one: a sentence with any word that no form has stays guidance. Texts have at most 400 characters.
 */

import { oneLine } from "../../ground/text/format";
import type { BindingRule } from "../bindings";
import table from "./forms.json";

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

const each = <Of extends object>(of: Of) =>
  Object.fromEntries(Object.entries(of).map(([name, text]) => [name, form(text)])) as Record<keyof Of, RegExp>;

/** Built anew for a page that shows them: no start pays for them. */
export class SentenceForms {
  readonly one = each(table.one);
  private readonly forbids = table.lists.forbids.map(form);
  private readonly unlessAsked = table.lists.unlessAsked.map(form);
  private readonly asks = table.lists.asks.map(form);
  private readonly demandsCheck = table.lists.checks.map(form);
  private readonly chinese = table.chinese.map(([from = "", to = ""]) => [form(from), to] as const);
  private readonly actions = table.actions.map(action => ({
    ...{ of: "", folder: action.rules, ask: [], ...action },
    said: form(`^\\s*(?:(?:directly|manually|ever|automatically)\\s+)*(?:${action.said})`),
  }));

  /** undefined: it has no form, or says more than the form does. */
  boundAs(read: string): BindingRule[] | undefined {
    const commands = firstOf(this.demandsCheck, read)?.list;
    if (commands !== undefined) return this.one.limits.test(read) ? undefined : this.checks(commands);
    const forbidden = firstOf(this.forbids, read)?.act;
    const asked = forbidden === undefined ? firstOf(this.asks, read)?.act : firstOf(this.unlessAsked, forbidden)?.act;
    const act = asked ?? forbidden;
    const { rules, ask } = (act === undefined ? undefined : this.ruled(this.inEnglish(act))) ?? {};
    const kind = asked === undefined ? "deny" : "ask";
    return rules && [...rules.map(rule => ({ [kind]: rule })), ...(ask ?? []).map(rule => ({ ask: rule }))];
  }

  /** The rules that would hold what a sentence tells to do: what forbids it, disagrees. */
  demanded(read: string): readonly string[] {
    const always = this.one.demands.exec(read)?.groups?.act;
    const found = this.actionOf(this.inEnglish(always ?? read));
    return found && (always !== undefined || this.isWhole(found.rest)) ? found.rules : [];
  }

  /** Commands as they are run; with a gap to be filled, or one that does not end, none. */
  checks(text: string): BindingRule[] | undefined {
    const all = [...text.matchAll(/`([^`]+)`/g)].map(([, command = ""]) => command.trim());
    const isRun = (command: string) => /^[a-z.][\w./-]*\s/.test(command) || this.commandOf(command) !== undefined;
    const isEach = all.every(command => isRun(command) && !this.one.notChecked.test(command));
    return isEach ? all.map(check => ({ check })) : undefined;
  }

  /** Of one thing or several, all that is said of them. */
  private ruled(act: string): RuleForms | undefined {
    const found = this.actionOf(act);
    if (!found || this.isWhole(found.rest)) return found;
    const more = this.one.more.exec(found.rest)?.groups?.act;
    const others = more === undefined ? undefined : this.ruled(more);
    if (others) return { ...others, rules: [...found.rules, ...others.rules], ask: [...found.ask, ...others.ask] };
    // Of "a or b" the part that is known holds by itself.
    const isApart = more !== undefined && /^\s*,?\s*or\s/.test(found.rest);
    return isApart && !this.one.limits.test(more) && !this.one.when.test(more) ? found : undefined;
  }

  /** Rules for an action's first words. Of a list all, or nothing: half a list is another sentence. */
  private actionOf(act: string): RuleForms | undefined {
    for (const { said, of, rules, folder, ask } of this.actions) {
      const found = said.exec(act);
      if (!found) continue;
      const list = found.groups?.list ?? "";
      const isFolder = /\b(?:files?|anything|folders?|director(?:y|ies))\b/i.test(found[0].replace(list, ""));
      const names = list.split(this.one.join).map(name => name.replaceAll("`", "").trim());
      const places = of === "" ? [""] : names.map(name => this.placeOf(of, name, isFolder));
      if (places.includes(undefined)) continue;
      const isPath = of === "path";
      const all = places.flatMap((place = "") =>
        isPath && place.endsWith("/")
          ? folder.map(rule => rule.replace("{}", place.slice(0, -1)))
          : rules.map(rule => rule.replace("{}", place)),
      );
      // An option may come later too.
      const later = all.flatMap(rule => [rule, rule.replace(/(?<!\*) (?=--\w)/, " * ")]);
      return { rules: [...new Set(later)], ask, rest: act.slice(found[0].length) };
    }
    return undefined;
  }

  /** What a rule has for a name; undefined: it is no such thing. Of a name alone, only words beside it say that it is a folder. */
  private placeOf(of: string, name: string, isFolder: boolean): string | undefined {
    if (of === "command") return this.commandOf(name);
    if (of === "branch") return this.one.branch.exec(name)?.groups?.name;
    const path = name.replace(/^\.\//, "").replace(/\/$/, "");
    const isFile = this.one.file.test(path);
    if (!this.one.path.test(path)) return undefined;
    return name.endsWith("/") || (isFolder && !isFile) ? `${path}/` : isFile ? path : undefined;
  }

  private commandOf(written: string): string | undefined {
    const command = oneLine(written.replace(/\s*(?:\*|\.\.\.|…)\s*$/, ""), 200);
    return this.one.command.test(command) ? command : undefined;
  }

  /** Nothing follows but a reason, or what to do instead. */
  private isWhole(rest: string): boolean {
    const behind = rest.replace(this.one.tail, "");
    if (/^[\s.!。！)]*$/.test(behind)) return true;
    const { because, why = because } = this.one.why.exec(behind)?.groups ?? {};
    if (why === undefined || this.one.limits.test(why)) return false;
    return this.one.reason.test(why) || (this.one.instead.test(why) && !this.one.when.test(why));
  }

  /** Chinese in the words that the table of actions has. */
  private inEnglish(act: string): string {
    const plain = act.replace(/[\s。！!]+$/u, "").trim();
    return /\p{Script=Han}/u.test(act)
      ? this.chinese.reduce((text, [from, to]) => text.replace(from, to), plain).trim()
      : plain.replace(/\b(main|master)\/(main|master)\b/i, "$1 or $2");
  }
}

const firstOf = (forms: readonly RegExp[], text: string) =>
  forms.map(each => each.exec(text)).find(found => found !== null)?.groups;
