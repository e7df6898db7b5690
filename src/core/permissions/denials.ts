/**
 * A no holds for what the call would have done, in other words too: what that was, and which refusals a later call comes under.
 * Pure; `decide` asks then, also where something allows the call.
 */
import type { DenialFacts } from "../../shared/denial";
import { globTest } from "../../shared/glob";
import { isObject } from "../../shared/isObject";
import { folderOf, isWithin } from "../../shared/paths";
import type { FileRef } from "../ground/ports";
import { EffectReader, NOWHERE } from "./callEffects";
import { actOf, emptiedBy } from "./plain/doings";
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
  // What a foreign tool is told may be talk.
  const isTalk = ([deed = ""]: readonly string[]) =>
    detail.type === "other" &&
    !action.effects.includes("command") &&
    !/^(?:tool:|sql)/.test(deed) &&
    !(deed.startsWith("git:") && ofGit.test(action.toolName));
  const sure = acts.filter(words => !isTalk(words)).map(words => words.join("\0"));
  // All of a repository is no place, and the folder in which every command runs only where nothing else is known.
  const places = changes.filter(
    ({ path, isBeside, isAim }) =>
      !isBeside && path !== "" && (isAim || sure.length === 0 || (path !== "/" && !here.includes(path))),
  );
  const facts = {
    files: unique(places.map(({ path }) => path)),
    // Each file is in all of the disk: only all of it is the same again.
    removes: unique(places.filter(({ below, path }) => below && path !== "/").map(({ path }) => path)),
    acts: unique(sure).map(each => each.split("\0")),
    hosts: unique([...hosts]),
  };
  // What a tool is told to look at may be no file.
  const read = reads.filter(path => path.includes("/") && !here.includes(path));
  const isReading = facts.files.length + facts.hosts.length === 0 && sure.every(act => act.startsWith("tool:"));
  const all = { ...facts, reads: isReading ? unique(read) : [] };
  return Object.values(all).some(list => list.length > 0) ? all : undefined;
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
  return [...new Set(files.filter(path => /^\/[^*?]+$/.test(path)))].slice(-MAX_KEPT);
}
const MAX_KEPT = 500;

/** Which refusals a call comes under. */
export function coveredDenials(action: Action, denials: readonly DenialInForce[]): CoveredDenials {
  if (denials.length === 0) return { covers: [], may: [] };
  const effects = effectsOfCall(action);
  const acts = Map.groupBy(effects.acts, ([deed = ""]) => deed);
  const changes = new ChangedPlaces(effects);
  const shown = (action.command?.folders ?? []).map(({ absolute }) => plain(absolute));
  const reads = new Set(effects.reads.map(plain));
  const ends = [...reads].filter(path => !path.startsWith("/"));
  const shows = (path: string) =>
    reads.has(path) ||
    shown.some(folder => isWithin(folder, path)) ||
    ends.some(end => path.endsWith(`/${end}`)) ||
    (!path.startsWith("/") && [...reads].some(read => read.endsWith(`/${path}`)));
  const covers = denials.filter(
    ({ facts }) =>
      facts.files.some(path => changes.has(path)) ||
      facts.removes.some(path => changes.hasWithin(path)) ||
      facts.reads.some(path => shows(plain(path))) ||
      facts.acts.some(words =>
        [words[0] ?? "", `${words[0]?.split(":")[0]}:api`].some(head =>
          acts.get(head)?.some(act => isSameAct(words, act)),
        ),
      ) ||
      facts.hosts.some(host => effects.hosts.has(host) || effects.named.has(host)),
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

/** Itself first, the top last. */
function foldersOf(path: string): string[] {
  const found: string[] = [];
  for (let folder = path; folder.length > 1; folder = folderOf(folder)) found.push(folder);
  return [...found, "/"];
}

/** Most paths need no look. */
function fits(pattern: string): (path: string) => boolean {
  const prefix = pattern.slice(0, pattern.search(/[*?[{\\]|$/));
  let test: ReturnType<typeof globTest> | undefined;
  return path => {
    if (!path.startsWith(prefix)) return false;
    test ??= globTest(pattern, { braces: true });
    return typeof test !== "string" && test(path.replace(/^\//, ""));
  };
}

/** The end of a path may be that of any. */
const anywhere = (path: string) => (path === "" || path.startsWith("/") ? path : `/**/${path}`);

/** What a call changes, to be asked about many paths. */
class ChangedPlaces {
  readonly isEmpty: boolean;
  private readonly all: readonly string[];
  private readonly exact = new Set<string>();
  private readonly wholes = new Set<string>();
  private readonly around = new Set<string>();
  private readonly open: ReturnType<typeof fits>[] = [];

  constructor({ changes }: EffectReader) {
    this.isEmpty = changes.length === 0;
    this.all = changes.map(({ path }) => plain(path));
    for (const [at, path] of this.all.entries()) {
      const below = changes[at]?.below === true;
      const pattern = anywhere(path);
      // What looks like a pattern may be a name: `[id].tsx`.
      (below ? this.wholes : this.exact).add(path);
      if (isPattern(pattern)) this.open.push(fits(pattern), ...(below ? [fits(`${pattern}/**`)] : []));
      for (const folder of below ? foldersOf(path) : []) this.around.add(folder);
    }
  }

  /** @param given a path, a pattern, or the end of a path */
  has(given: string): boolean {
    const path = plain(given);
    if (this.exact.has(path) || foldersOf(path).some(folder => this.wholes.has(folder))) return true;
    const pattern = anywhere(path);
    return this.open.some(test => test(path)) || (isPattern(pattern) && this.all.some(fits(pattern)));
  }

  /** Something in it goes, or is emptied. What a server is told may be the end of a path: `data/a.csv`. */
  hasWithin(folder: string): boolean {
    const parts = plain(folder).split("/");
    return parts.some((_, at) => this.around.has(parts.slice(at).join("/")));
  }
}

/** Without words that matter it may be any of them. Of a tool's input all has to be there. */
function isSameAct([head = "", ...denied]: readonly string[], [, ...given]: readonly string[]): boolean {
  if (head.startsWith("tool:")) return denied.every(word => given.includes(word));
  if (denied.length === 0) return true;
  if (given.length === 0) return !/:install$/.test(head);
  const may = (word: string, refused: string) => word.includes("*") && refused.startsWith(word.split("*", 1)[0] ?? "");
  return given.some(
    word => /^(?:head|@|\$.*)$/.test(word) || denied.some(refused => word === refused || may(word, refused)),
  );
}

// ---------------------------------------------------------------- what a call does

/** What a command changes, as far as its text and what it starts tell. */
export const changesOf = (call: Omit<Action, "toolName" | "effects" | "namesSecret">): ChangedPlaces =>
  new ChangedPlaces(effectsOfCall({ ...call, toolName: "Bash", effects: ["command"], namesSecret: false }));

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
  const name = toolName.replace(/[A-Z]/g, "_$&").toLowerCase();
  const isLooking = looking.test(name);
  const isOfFiles = /file|dir|path|folder|delet|remov|writ|mov|renam|trash|unlink/.test(name);
  const [, doing] = ofGit.exec(name) ?? [];
  if (doing && !isLooking) reader.act(actOf(["git", doing, ...values]));
  for (const act of values.flatMap(emptiedBy)) reader.act(act);
  // A longer text is told apart by its beginning.
  const cut = values.map(text => text.slice(0, MAX_TEXT));
  reader.reads.push(...cut.map(text => text.replace(/^file:\/\/|^\.\//, "")));
  for (const text of isLooking ? [] : [...values, values.join(" ")])
    if (/^[^\s:]{0,400}[/.][^\s:]{0,400}$|^file:/.test(text) || (isOfFiles && /^[\w-]+$/.test(text)))
      reader.change(text.replace(/^file:\/\/|^\.\/|\/$/g, ""), true);
    else if (text.length < MAX_TEXT) reader.text(text, place);
  for (const text of values) reader.host(text);
  for (const text of values) reader.host(text, text.includes("."), reader.named);
  reader.act([`tool:${toolName}`, ...cut]);
  reader.mayDoMore = isCommand || (reader.mayDoMore && /run|exec|shell|bash|command|terminal/.test(name));
}
const MAX_TEXT = 4000;
const ofGit = /git.*[:_](push|commit|merge|reset|checkout|rebase)(?:_|$)/;

/** They say where a tool works, and not on what. */
const places = /^(?:cwd|folder|work\w*|root\w*|repo\w*|project\w*)$/i;

function valuesIn(value: unknown): string[] {
  if (isObject(value) || Array.isArray(value))
    return Object.entries(value).flatMap(([key, each]) => (places.test(key) ? [] : valuesIn(each)));
  return typeof value === "string" || typeof value === "number" ? [`${value}`] : [];
}
