/**
 * What a command would touch, as far as its text and the disk tell before it runs: the facts that the policy decides by, and
 * the scripts that an allowance for the session depends on.
 */
import { mapBounded } from "../../shared/async";
import { defined, some } from "../../shared/defined";
import { isObject, parseJson } from "../../shared/isObject";
import { t } from "../../shared/l10n";
import { TASK_FILES } from "../../shared/obeyedFiles";
import { folderOf } from "../../shared/paths";
import type { FileRef, Files, Shell } from "../ground/ports";
import { unlessFileError } from "../ground/ports/files";
import type { CommandFacts } from "../permissions/commandFacts";
import { type CommandPart, type CommandReading, type FileUse, readCommand } from "../permissions/plain/commandReading";
import { readPlain } from "../permissions/plain/plainCommand";
import { isProgram, programName } from "../permissions/plain/programKinds";
import type { PlainFile } from "../permissions/plain/reading";
import { isThere } from "../tool/writtenPaths";
import { physical, topOf, whyElsewhere } from "./gitRepository";
import { expanded, linkBelow, matches, protectedBelow } from "./patternMatches";

const MAX_FILES = 1000;
/** bytes of one script; a longer one is known by its size and time */
const MAX_SCRIPT = 1024 * 1024;

/**
 * @param cwd absolute, '/' separators
 * @returns `scripts`: the texts of those that it starts, with their names; "": none. Never rejects.
 */
export async function planCommand(
  command: string,
  cwd: string,
  files: Files,
  shell: Pick<Shell, "doubtOf"> = {},
): Promise<{ facts: CommandFacts; scripts: string }> {
  const reading = readCommand(command, cwd);
  const problems = [...reading.problems];
  const certain = await certainReading(command, cwd, files, shell);
  const options = await Promise.all(reading.parts.map(part => optionOf(part, files)));
  problems.push(...options.filter(option => option !== undefined));
  const uses = usesOf(reading);
  if (uses.length > MAX_FILES) problems.push(t("names more than {0} files", MAX_FILES));
  const found = await mapBounded(uses.slice(0, MAX_FILES), 100, ({ use, acts }) => resolved(use, acts, files));
  const scripts = await scriptTexts(reading, files);
  const links = Object.fromEntries(
    [
      [cwd, (await unlessFileError(physical(cwd, files), undefined))?.absolute ?? cwd] as const,
      ...found.flatMap(each => each.links),
    ].filter(([path, to]) => path !== to),
  );
  return {
    facts: {
      parts: await Promise.all(
        reading.parts.map(async part => ({ ...part, ...defined({ placed: await placedText(part, files) }) })),
      ),
      problems,
      ...defined({ unread: reading.unread }),
      ...defined({ uncertain: certain.uncertain, gitFolders: some(certain.gitFolders) }),
      fetches: reading.parts.some(({ words }) => isFetch(words)),
      reads: [...found.flatMap(({ refs, writes }) => (writes ? [] : refs)), ...(certain.reads ?? [])],
      changes: found.flatMap(({ refs, changes }) => (changes ? refs : [])),
      writes: found.flatMap(({ refs, writes }) => (writes ? refs : [])),
      folders: found.flatMap(({ folders }) => folders),
      ...unknownFile(reading, found),
      ...defined({ scripts: scripts || undefined }),
      ...(Object.keys(links).length > 0 && { links }),
    },
    scripts,
  };
}

/** Who allowed `./build.sh` meant that of the workspace, and not one of the folder that a command went to. */
async function placedText({ words: [program], text, folders }: CommandPart, files: Files): Promise<string | undefined> {
  if (program === undefined || !/^[^/~][^/]*\//.test(program)) return undefined;
  for (const folder of folders) {
    const ref = await unlessFileError(physical(folder, files), undefined);
    const path = ref?.inside ? ref.relative : (ref?.absolute ?? folder);
    if (path !== "" && path !== ".") return `${path}/${text.replace(/^(?:\.\/)+/, "")}`;
  }
  return undefined;
}

/** A file may have the name of an option, and a pattern may match it. */
async function optionOf({ globs = [], effect, folders }: CommandPart, files: Files): Promise<string | undefined> {
  if (effect !== "acts" || globs.length === 0) return undefined;
  const [folder] = folders;
  if (folder === undefined || folders.length !== 1 || globs.length > MAX_GLOBS) return mayBeOption();
  for (const glob of globs) {
    const found = await expanded(`${folder}/${glob}`, files);
    if (found === undefined || found.some(path => path[folder.length + 1] === "-")) return mayBeOption();
  }
  return undefined;
}
const mayBeOption = () => t("names files by a pattern, of which one may have the name of an option");
const MAX_GLOBS = 20;

/** Each file once for each way in which it is used. */
function usesOf({ parts }: CommandReading): { use: FileUse; acts: boolean }[] {
  const found = new Map<string, { use: FileUse; acts: boolean }>();
  for (const { effect, files } of parts)
    for (const use of files) {
      const acts = effect === "acts";
      const key = `${acts} ${use.writes} ${use.changes} ${use.content} ${use.all} ${use.fromTop} ${use.byGit} ${use.isSure} ${(use.patterns ?? use.paths)?.join("\0")}`;
      if (!found.has(key)) found.set(key, { use, acts });
    }
  return [...found.values()];
}

/** What a build fetches is code, not words. */
function isFetch([program = "", second = ""]: CommandPart["words"]): boolean {
  const name = programName(program);
  return (
    isProgram("fetches", name) ||
    /^(?:npm|pnpm|yarn|pip3?|cargo|gem|brew|docker) (?:view|info|show|search)$|^git ls-remote$/.test(
      `${name} ${second}`,
    )
  );
}

function unknownFile({ parts }: CommandReading, found: readonly { unknown?: string | undefined }[]) {
  const named = parts.flatMap(({ files }) => files).find(({ paths }) => paths === undefined)?.shown;
  const unknown =
    named === undefined
      ? found.find(each => each.unknown !== undefined)?.unknown
      : t("names a file that is only known when it runs (`{0}`)", named);
  return unknown === undefined ? {} : { unknownFile: unknown };
}

async function resolved(use: FileUse, acts: boolean, files: Files) {
  const { paths: named = [], patterns = [], writes, changes, content, all, shown, fromTop, byGit, isSure } = use;
  const paths = await Promise.all(
    named.map(async path =>
      fromTop === undefined ? path : `${await unlessFileError(topOf(path, files), path)}/${fromTop}`,
    ),
  );
  const refs = await Promise.all(paths.map(path => unlessFileError(physical(path, files), undefined)));
  const there = refs.filter(ref => ref !== undefined);
  const climbs = paths.some(path => /\/\.\.(?:\/|$)/.test(path));
  // A word of a program that is not known may be no path at all: it is one where there is something, or where it says so.
  const isPath = async (ref: FileRef) =>
    writes || climbs || isSure || !acts || ref.inside || (await hasPlace(ref, files));
  const kept = await Promise.all(there.map(async ref => ((await isPath(ref)) ? [ref] : [])));
  const stats = content ? await Promise.all(there.map(ref => unlessFileError(files.stat(ref), undefined))) : [];
  // A link may match, or a file whose name alone says that it is protected.
  const matching = content && patterns.length > 0 ? await matches(patterns, files) : [];
  const folders = there.filter((_, at) => stats[at]?.type === "directory");
  const secret = all ? await firstProtected(folders, defined({ byGit }), files) : undefined;
  return {
    links: paths.flatMap((path, at) => (refs[at] ? [[path, refs[at].absolute] as const] : [])),
    refs: [...kept.flat(), ...(matching ?? [])],
    writes,
    changes,
    folders,
    unknown: matching === undefined ? t("names a file that is only known when it runs (`{0}`)", shown) : undefined,
    ...(secret && { unknown: t("may show what is in {0}", secret) }),
  };
}

async function firstProtected(folders: readonly FileRef[], how: { byGit?: true }, files: Files) {
  for (const folder of folders) {
    const found = await protectedBelow(folder, how, files);
    if (found) return found;
  }
  return undefined;
}

const hasPlace = async ({ absolute }: FileRef, files: Files): Promise<boolean> =>
  (await isThere(files, absolute)) || isThere(files, folderOf(absolute));

/** Names and texts of the workspace's scripts: an allowance holds for their present text. */
async function scriptTexts({ parts, unread }: CommandReading, files: Files): Promise<string> {
  const paths = new Set(
    parts
      .filter(({ effect }) => effect !== "reads")
      .flatMap(part => part.folders.flatMap(folder => scriptPaths(part, folder, unread !== undefined))),
  );
  const texts: string[] = [];
  for (const path of [...paths].slice(0, 30)) {
    const text = await unlessFileError(scriptText(path, files), undefined);
    if (text !== undefined) texts.push(`${path}\0${text}`);
  }
  return texts.join("\0\0");
}

/** What a project's tasks are. */
const SCRIPT = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|(?:ba|z|k)?sh|ps1)$/i;

function scriptPaths({ words }: CommandPart, folder: string, isUnread: boolean): string[] {
  const [program] = words;
  if (program === undefined) return [];
  const runs = words.findIndex(word => isProgram("runs", programName(word)));
  const given = words.slice(runs + 1).filter(word => !word.startsWith("-"));
  const started = runs < 0 ? [] : given.slice(0, 3);
  const named = isUnread ? words.filter(word => SCRIPT.test(word) || word.startsWith("./")) : [];
  const paths = [...TASK_FILES, ...(program.includes("/") ? [program] : []), ...started, ...named];
  return paths.map(path => (path.startsWith("/") ? path : `${folder}/${path}`));
}

async function scriptText(path: string, files: Files): Promise<string | undefined> {
  const ref = await files.resolve(path);
  const stat = await files.stat(ref);
  if (stat?.type !== "file") return undefined;
  if (stat.size > MAX_SCRIPT) return `${stat.size}`;
  const read = await files.read(ref, MAX_SCRIPT);
  if (!("text" in read)) return JSON.stringify(read.stamp);
  // What else a package says (its dependencies) changes all day and starts nothing by itself.
  const json = path.endsWith("/package.json") ? parseJson(read.text) : undefined;
  return isObject(json) ? JSON.stringify(json.scripts ?? {}) : read.text;
}

/**
 * @param cwd absolute, '/' separators
 * @returns all that it reads, which may be protected; or why it is not certain: a part of a sentence. Never rejects.
 */
async function certainReading(
  command: string,
  cwd: string,
  files: Files,
  shell: Pick<Shell, "doubtOf">,
): Promise<{ reads?: FileRef[]; gitFolders?: string[]; uncertain?: string }> {
  const plain = readPlain(command);
  if ("why" in plain) return { uncertain: plain.why };
  for (const { words, builtin } of plain.programs) {
    const doubt = builtin ? undefined : shell.doubtOf?.(words[0] as string);
    if (doubt !== undefined) return { uncertain: doubt };
  }
  const folder = plain.folder === undefined ? cwd : joined(cwd, plain.folder);
  const named = plain.programs.flatMap(({ files: read, git }) =>
    read.map(file => ({ ...file, ...(git && { byGit: git }) })),
  );
  // What names no file may look at the folder that it runs in.
  const all: (PlainFile & { byGit?: true })[] = [{ path: ".", shows: "names" }, ...named];
  const reads: FileRef[] = [];
  for (const file of all) {
    const place = placeOf(file, folder, files).then(path => physical(path, files));
    const ref = await unlessFileError(place, undefined);
    if (ref === undefined) return { uncertain: t("names `{0}`, which cannot be looked at", file.path) };
    const why = await whyUncertain(file, ref, files);
    if (why !== undefined) return { uncertain: why };
    reads.push(ref);
  }
  const git = plain.programs.filter(program => program.git);
  const gitFolders = git.flatMap(({ gitFolder }) => [folder, ...(gitFolder ? [joined(folder, gitFolder)] : [])]);
  for (const each of new Set(gitFolders)) {
    const why = await unlessFileError(whyElsewhere(each, files), t("reads a Git repository that cannot be looked at"));
    if (why !== undefined) return { uncertain: why };
  }
  return { reads, gitFolders: [...new Set(gitFolders)] };
}

async function whyUncertain(file: PlainFile & { byGit?: true }, ref: FileRef, files: Files) {
  const type = (await unlessFileError(files.stat(ref), undefined))?.type;
  if (type !== undefined && type !== "file" && type !== "directory")
    return t("reads {0}, which is no plain file", ref.path);
  if (file.followsLinks && type === "directory" && (await linkBelow(ref, files)) !== undefined)
    return t("follows links below {0}, wherever they lead", ref.path);
  if (file.shows !== "tree" || type !== "directory") return undefined;
  // What was committed once is shown by its commits, also where it is a file no more.
  if (file.past) return t("may show what protected files below {0} held before", ref.path);
  const found = await protectedBelow(ref, file, files);
  if (found === "") return t("looks through more folders than can be known");
  return found && t("may show what is in {0}", found);
}

const joined = (folder: string, path: string): string =>
  path.startsWith("/") ? path : path === "." ? folder : `${folder}/${path}`;

const placeOf = async ({ path, fromTopOf }: PlainFile, folder: string, files: Files): Promise<string> =>
  fromTopOf === undefined ? joined(folder, path) : joined(await topOf(joined(folder, fromTopOf), files), path);
