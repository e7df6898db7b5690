/**
 * A no holds for what the call would have done, in whatever words it comes back: what a refused call would have done, and which
 * refusals a later call comes under. Pure; `decide` asks then, whatever else allows the call.
 */
import type { Denial, DenialFacts } from "../../shared/denial";
import { isObject } from "../../shared/isObject";
import { mapStrings } from "../../shared/redacted";
import { type CallEffects, EffectReader, NOWHERE, type StartedAct } from "./callEffects";
import type { Action } from "./verdict";

type InForce = Pick<Denial, "denialId" | "title" | "facts">;

/** Ids. `covers`: the call would do what was refused; allowing it lifts these. `may`: it is not known what it does. */
export interface CoveredDenials {
  covers: string[];
  may: string[];
}

/** What a call would have done; undefined: nothing outside the session. */
export function denialFacts(action: Action): DenialFacts | undefined {
  const { changes, acts, hosts, reads } = effectsOfCall(action);
  // All of a repository or a disk is no place: what does that is an act.
  const paths = changes.filter(({ path }) => !/^\/?$/.test(path));
  const sure = acts.filter(({ isGuess }) => !isGuess).map(({ words }) => [...words]);
  const facts = {
    files: unique(paths.map(({ path }) => path)),
    removes: unique(paths.filter(({ below }) => below).map(({ path }) => path)),
    acts: [...new Map(sure.map(words => [words.join("\0"), words])).values()],
    hosts: [...hosts],
  };
  const isReading = Object.values(facts).every(list => list.length === 0);
  if (isReading && reads.length === 0) return undefined;
  return { ...facts, reads: isReading ? unique(reads) : [] };
}

const unique = (all: readonly string[]) => [...new Set(all)].slice(0, MAX_FACTS);
const MAX_FACTS = 200;

/** What a denied call would have changed: the sandbox keeps it. */
export const deniedFiles = (denials: readonly Pick<Denial, "facts">[]): string[] =>
  unique(denials.flatMap(({ facts }) => facts.files.filter(path => path.startsWith("/") && !/[*?[]/.test(path))));

/** Which refusals a call comes under. */
export function coveredDenials(action: Action, denials: readonly InForce[]): CoveredDenials {
  if (denials.length === 0) return { covers: [], may: [] };
  const effects = effectsOfCall(action);
  const acts = Map.groupBy(effects.acts, ({ words }) => words[0] ?? "");
  const reads = new Set(effects.reads);
  const isEdit = action.effects.includes("edit");
  const covers = denials.filter(({ facts }) => {
    return (
      facts.files.some((path, at) => at < MAX_FACTS && changesIt(path, effects)) ||
      (!isEdit && facts.removes.some(folder => changesWithin(folder, effects))) ||
      facts.reads.some(path => reads.has(path)) ||
      facts.acts.some(words => (acts.get(words[0] ?? "") ?? []).some(act => isSameAct(words, act))) ||
      facts.hosts.some(host => effects.hosts.has(host))
    );
  });
  // What surely only reads is no way around.
  const isKnown = !effects.mayDoMore || (action.command !== undefined && action.command.uncertain === undefined);
  const rest = isKnown
    ? []
    : denials.filter(({ facts }) => facts.files.length + facts.acts.length + facts.hosts.length > 0);
  const ids = (of: readonly InForce[]) => of.map(({ denialId }) => denialId);
  return { covers: ids(covers), may: covers.length > 0 ? [] : ids(rest) };
}

// ---------------------------------------------------------------- comparing

function changesIt(denied: string, { changes }: CallEffects): boolean {
  return changes.some(({ path, below, names }) => {
    if (
      names !== undefined &&
      !wildcard(names.toLowerCase(), denied.slice(denied.lastIndexOf("/") + 1)) &&
      !isIn(denied, path)
    )
      return false;
    return isSamePath(path, denied) || (below && isIn(path, denied));
  });
}

const changesWithin = (folder: string, { changes }: CallEffects) =>
  changes.some(({ path, below }) => below && isIn(folder, path));

/** Patterns on either side; a path without its beginning is the end of one. */
function isSamePath(a: string, b: string): boolean {
  if (a === b) return true;
  if (/[*?[]/.test(a)) return wildcard(a, b);
  if (/[*?[]/.test(b)) return wildcard(b, a);
  if (a.startsWith("/") === b.startsWith("/")) return false;
  const [whole, end] = a.startsWith("/") ? [a, b] : [b, a];
  return whole.endsWith(`/${end}`);
}

/** `path` lies in `folder`. */
function isIn(folder: string, path: string): boolean {
  if (folder === "/") return true;
  if (path.startsWith(`${folder}/`)) return true;
  if (/[*?[]/.test(folder))
    return path.split("/").some((_, at, all) => at > 1 && wildcard(folder, all.slice(0, at).join("/")));
  return !folder.startsWith("/") && path.includes(`/${folder}/`);
}

/** As a shell has it: a star stays within a name. Linear: nothing is tried twice. */
function wildcard(pattern: string, text: string): boolean {
  if (!/[*?[]/.test(pattern)) return pattern === text;
  const [wanted, given] = [pattern.split("/"), text.split("/")];
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => inName(part.replace(/\[[^\]]{0,99}\]/g, "?").replace(/\*+/g, "*"), given[at] ?? ""))
  );
}

function inName(pattern: string, name: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const fits = (part: string, at: number) =>
    at >= 0 &&
    at + part.length <= name.length &&
    [...part].every((letter, index) => letter === "?" || letter === name[at + index]);
  if (rest.length === 0) return first.length === name.length && fits(first, 0);
  if (!fits(first, 0)) return false;
  let at = first.length;
  const last = rest.pop() ?? "";
  for (const part of rest) {
    while (at <= name.length - part.length && !fits(part, at)) at += 1;
    if (!fits(part, at)) return false;
    at += part.length;
  }
  return name.length - last.length >= at && fits(last, name.length - last.length);
}

/** Without words that matter it may be any of them; of a tool's input all that was denied has to be there. */
function isSameAct([head = "", ...denied]: readonly string[], { words: [, ...given], isGuess }: StartedAct): boolean {
  if (head.startsWith("tool "))
    return (
      denied.every(word => given.includes(word)) || (given.length > 0 && given.every(word => denied.includes(word)))
    );
  if (denied.length === 0) return true;
  if (given.length === 0) return !isGuess && !/ (?:install|test)$/.test(head);
  return given.some(word => denied.includes(word) || /^(?:head|--all|\$.*)$/.test(word));
}

// ---------------------------------------------------------------- what a call does

function effectsOfCall(action: Action): CallEffects {
  const { command, detail, effects, targets } = action;
  const scripts = new Map((command?.scripts ?? "").split("\0\0").map(each => each.split("\0") as [string, string]));
  const reader = new EffectReader(scripts, command?.links ?? {});
  const found = reader.effects;
  const paths = targets.map(({ absolute }) => absolute.toLowerCase());
  if (effects.includes("edit")) for (const path of paths) reader.change(path, false);
  else found.reads.push(...paths);
  if (detail.type === "command") {
    reader.text(detail.command, detail.cwd);
    for (const { absolute } of command?.writes ?? []) reader.change(absolute, true);
    found.reads.push(...(command?.reads ?? []).map(({ absolute }) => absolute.toLowerCase()));
    if (command === undefined) found.mayDoMore = true;
  }
  if (detail.type === "other") foreignEffects(action, detail.input, reader);
  return found;
}

/** Tools that say of themselves that they only look. */
const LOOKS = /(?:^|[:_.-])(?:read|get|list|search|find|view|show|describe|stat|query|fetch|ls|cat|grep)(?![a-z])/;

/** Each text of a tool's input may be a path, an address or a command. */
function foreignEffects({ toolName, effects }: Action, input: unknown, reader: EffectReader): void {
  const texts: string[] = [];
  mapStrings(input, text => {
    if (texts.length < MAX_FACTS) texts.push(text);
    return text;
  });
  const values = isObject(input) ? input : {};
  const folder = [values.cwd, values.folder, values.workdir].find(each => typeof each === "string") ?? NOWHERE;
  const looks = LOOKS.test(toolName.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`));
  const isCommand = effects.includes("command");
  for (const text of looks ? [] : texts) {
    if (/^[^\s:]{1,400}$|^file:/.test(text) && /[/.]/.test(text))
      reader.changeEnd(text.replace(/^file:\/\/|^\.\//g, ""));
    else if (text.length < 4000 && /\s/.test(text)) reader.text(text, folder, { isGuess: !isCommand });
  }
  if (texts.length > 1 && !looks) reader.text(texts.join(" "), folder, { isGuess: true });
  for (const text of texts) reader.host(text);
  reader.tool(toolName, JSON.stringify(input)?.match(/"(?:[^"\\]|\\.)*"(?!:)|-?\d+(?:\.\d+)?/g) ?? []);
  reader.effects.mayDoMore = isCommand;
}
