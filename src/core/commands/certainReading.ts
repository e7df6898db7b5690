/**
 * Whether it is certain that a command only reads, and what: its text has to say it in the plainest way, and the disk. Without a
 * sandbox nothing else runs unasked.
 */
import { t } from "../../shared/l10n";
import type { FileRef, Files, Shell } from "../ground/ports";
import { unlessFileError } from "../ground/ports/files";
import { readPlain } from "../permissions/plain/plainCommand";
import type { PlainFile } from "../permissions/plain/reading";
import { topOf, whyElsewhere } from "./gitRepository";
import { linkBelow, protectedBelow } from "./patternMatches";
import { physical } from "./physical";

type ReadFiles = Files;

/**
 * @param cwd absolute, '/' separators
 * @returns all that it reads, which may be protected; or why it is not certain: a part of a sentence. Never rejects.
 */
export async function certainReading(
  command: string,
  cwd: string,
  files: ReadFiles,
  shell: Pick<Shell, "doubtOf"> = {},
): Promise<{ reads: FileRef[]; gitFolders: string[] } | { uncertain: string }> {
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
    const place = placeOf(file, folder, files);
    const ref = await unlessFileError(
      place.then(path => physical(path, files)),
      undefined,
    );
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

async function whyUncertain(
  file: PlainFile & { byGit?: true },
  ref: FileRef,
  files: ReadFiles,
): Promise<string | undefined> {
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

const placeOf = async ({ path, fromTopOf }: PlainFile, folder: string, files: ReadFiles): Promise<string> =>
  fromTopOf === undefined ? joined(folder, path) : joined(await topOf(joined(folder, fromTopOf), files), path);
