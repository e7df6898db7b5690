/**
 * A no holds for what the call would have done, in other words too: what that was, and which refusals a later call comes under.
 * Pure; `decide` asks then, also where something allows the call.
 */
import type { DenialFacts } from "../../shared/denial";
import { globTest } from "../../shared/glob";
import { isObject } from "../../shared/isObject";
import type { FileRef } from "../ground/ports";
import { EffectReader, NOWHERE, type StartedAct } from "./callEffects";
import type { Action, PolicyState } from "./verdict";

type DenialInForce = NonNullable<PolicyState["denials"]>[number];

/** Ids. `covers`: the call would do what was refused, and allowing it lifts these. `may`: it is not known what it does. */
interface CoveredDenials {
  covers: string[];
  may: string[];
}

/** What a call would have done; undefined: nothing that a later call could do again. */
export function denialFacts(action: Action): DenialFacts | undefined {
  const { changes, acts, hosts, reads } = effectsOfCall(action);
  const { detail, targets } = action;
  const isTop = ({ relative }: FileRef) => relative === ".";
  const here = [detail.type === "command" ? detail.cwd : "", ...targets.filter(isTop).map(({ absolute }) => absolute)];
  const sure = acts.filter(({ isGuess }) => !isGuess).map(({ words }) => words.join("\0"));
  // All of a repository is no place, and the folder in which every command runs only where nothing else is known.
  const places = changes.filter(
    ({ path, isBeside }) => !isBeside && path !== "" && path !== "/" && (sure.length === 0 || !here.includes(path)),
  );
  const facts = {
    files: unique(places.map(({ path }) => path)),
    removes: unique(places.filter(({ below }) => below).map(({ path }) => path)),
    acts: unique(sure).map(each => each.split("\0")),
    hosts: unique([...hosts]),
  };
  const read = reads.filter(path => !here.includes(path));
  const isReading = Object.values(facts).every(list => list.length === 0);
  return isReading && read.length === 0 ? undefined : { ...facts, reads: isReading ? unique(read) : [] };
}

/** What a refused edit is about once the call has moved its file; undefined: it does not. */
export function movedFacts(action: Action, facts: DenialFacts): DenialFacts | undefined {
  const { moves } = effectsOfCall(action);
  const files = facts.files.flatMap(path =>
    moves.flatMap(({ from, to }) =>
      path === from || path.startsWith(`${from}/`) ? [to + path.slice(from.length)] : [],
    ),
  );
  return files.length === 0 || facts.removes.length > 0 ? undefined : { ...facts, files: unique(files) };
}

const unique = (all: readonly string[]) => [...new Set(all)].slice(0, MAX_FACTS);
const MAX_FACTS = 200;

/** What denied calls would have changed: the sandbox keeps it. */
export function deniedFiles(denials: readonly { facts: DenialFacts }[]): string[] {
  const files = denials.flatMap(({ facts }) => facts.files);
  return [...new Set(files.filter(path => path.startsWith("/") && !isPattern(path)))].slice(-MAX_KEPT);
}
const MAX_KEPT = 500;

/** Which refusals a call comes under. */
export function coveredDenials(action: Action, denials: readonly DenialInForce[]): CoveredDenials {
  if (denials.length === 0) return { covers: [], may: [] };
  const effects = effectsOfCall(action);
  const acts = Map.groupBy(effects.acts, ({ words }) => words[0] ?? "");
  const changes = effects.changes.map(change => ({ ...change, path: plain(change.path) }));
  const isHit = (denied: string) =>
    changes.some(({ path, below }) => isSamePath(path, denied) || (below && isIn(path, denied)));
  const isHitWithin = (folder: string) => changes.some(({ path, below }) => below && isIn(folder, path));
  const shown = (action.command?.folders ?? []).map(({ absolute }) => plain(absolute));
  const reads = new Set(effects.reads.map(plain));
  const isEdit = action.effects.includes("edit");
  const covers = denials.filter(
    ({ facts }) =>
      facts.files.some(path => isHit(plain(path))) ||
      (!isEdit && facts.removes.some(path => isHitWithin(plain(path)))) ||
      facts.reads.some(path => reads.has(plain(path)) || shown.some(folder => isIn(folder, plain(path)))) ||
      facts.acts.some(words => (acts.get(words[0] ?? "") ?? []).some(act => isSameAct(words, act))) ||
      facts.hosts.some(host => effects.hosts.has(host)),
  );
  // What surely only reads is no way around.
  const isCertain = action.command !== undefined && action.command.uncertain === undefined;
  const may = denials.filter(
    ({ facts: { files, acts, hosts } }) =>
      (effects.mayDoMore && files.length + acts.length + hosts.length > 0) ||
      (effects.changesOthers && files.length > 0),
  );
  const ids = (of: readonly DenialInForce[]) => of.map(({ denialId }) => denialId);
  return { covers: ids(covers), may: isCertain ? [] : ids(may) };
}

/** As paths are compared: where case does not count, and with a drive in front. */
const plain = (path: string) => path.replace(/^(?=[a-z]:\/)/i, "/").toLowerCase();
const isPattern = (path: string) => /[*?[]/.test(path);

function fits(pattern: string, path: string): boolean {
  // Most need no look.
  if (!path.startsWith(pattern.slice(0, pattern.search(/[*?[{\\]|$/)))) return false;
  const test = globTest(pattern, { braces: true });
  return typeof test !== "string" && test(path.replace(/^\//, ""));
}

/** Patterns on either side; a path without its beginning is the end of one. */
function isSamePath(a: string, b: string): boolean {
  if (a === b) return true;
  const [pattern, path] = isPattern(a) ? [a, b] : [b, a];
  if (isPattern(pattern)) return fits(pattern, path);
  if (a.startsWith("/") === b.startsWith("/")) return false;
  return a.startsWith("/") ? a.endsWith(`/${b}`) : b.endsWith(`/${a}`);
}

/** `path` lies in `folder`. */
function isIn(folder: string, path: string): boolean {
  if (folder === "/" || path.startsWith(`${folder}/`)) return true;
  if (isPattern(folder)) return fits(`${folder}/**`, path);
  return !folder.startsWith("/") && folder !== "" && path.includes(`/${folder}/`);
}

/** Without words that matter it may be any of them. Of a tool's input all has to be there. */
function isSameAct([head = "", ...denied]: readonly string[], { words: [, ...given], isGuess }: StartedAct): boolean {
  if (head.startsWith("tool:")) return denied.every(word => given.includes(word));
  if (denied.length === 0) return true;
  if (given.length === 0) return !isGuess && !/:install$/.test(head);
  return given.some(word => denied.includes(word) || /^(?:head|\$.*)$/.test(word));
}

// ---------------------------------------------------------------- what a call does

function effectsOfCall(action: Action): EffectReader {
  const { command, detail, effects, targets } = action;
  const reader = new EffectReader(command?.scripts ?? "", command?.links ?? {});
  for (const { absolute } of targets) {
    if (effects.includes("edit")) reader.change(absolute, false);
    else reader.reads.push(absolute);
  }
  if (detail.type === "command") {
    reader.text(detail.command, detail.cwd);
    for (const { absolute } of command?.writes ?? []) reader.change(absolute, true);
    reader.reads.push(...(command?.reads ?? []).map(({ absolute }) => absolute));
    reader.mayDoMore ||= command === undefined;
  }
  if (detail.type === "other") foreignEffects(action, detail.input, reader);
  return reader;
}

/** Tools that say of themselves that they only look. */
const looking =
  /^(?!.*(?:delet|remov|writ|mov|edit|creat|updat|run|exec))(?:.*[:_.-])?(?:read|get|list|search|find|view|show|describe|stat|query|fetch|ls|cat|grep)(?![a-z])/;

/** Each text of a tool's input may be a path, an address or a command. */
function foreignEffects({ toolName, effects }: Action, input: unknown, reader: EffectReader): void {
  const values = valuesIn(input).slice(0, MAX_FACTS);
  const { cwd, folder = cwd } = isObject(input) ? input : {};
  const place = typeof folder === "string" && folder !== "" ? folder : NOWHERE;
  const isCommand = effects.includes("command");
  for (const text of looking.test(toolName.replace(/[A-Z]/g, "_$&").toLowerCase()) ? [] : [...values, values.join(" ")])
    if (/^[^\s:]{1,400}$|^file:/.test(text)) reader.changeEnd(text.replace(/^file:\/\/|^\.\/|\/$/g, ""));
    else if (text.length < MAX_TEXT) reader.text(text, place, !isCommand);
  for (const text of values) reader.host(text);
  reader.act([`tool:${toolName}`, ...values], { isGuess: false });
  reader.mayDoMore = isCommand;
}
const MAX_TEXT = 4000;

/** They say where a tool works, and not on what. */
const places = /^(?:cwd|folder|work\w*|root\w*|repo\w*|project\w*)$/i;

function valuesIn(value: unknown): string[] {
  if (isObject(value) || Array.isArray(value))
    return Object.entries(value).flatMap(([key, each]) => (places.test(key) ? [] : valuesIn(each)));
  return typeof value === "string" || typeof value === "number" ? [`${value}`] : [];
}
