/**
 * Whether it is certain that a command only reads, and what: its text has to say it in the plainest way, and the disk. Without a
 * sandbox nothing else runs unasked.
 */
import { readPlain } from "../permissions/plain/plainCommand";
import type { PlainFile } from "../permissions/plain/reading";
import { type FileRef, type Files, unlessFileError } from "../ports";
import { protectedBelow } from "./patternMatches";

type ReadFiles = Pick<Files, "resolve" | "stat" | "list">;

/**
 * @param cwd absolute, '/' separators
 * @returns all that it reads, which may be protected; or why it is not certain: a part of a sentence. Never rejects.
 */
export async function certainReading(
  command: string,
  cwd: string,
  files: ReadFiles,
): Promise<{ reads: FileRef[]; gitFolders: string[] } | { uncertain: string }> {
  const plain = readPlain(command);
  if ("why" in plain) return { uncertain: plain.why };
  const folder = plain.folder === undefined ? cwd : joined(cwd, plain.folder);
  const named = plain.programs.flatMap(({ files: read, git }) =>
    read.map(file => ({ ...file, ...(git && { byGit: git }) })),
  );
  // What names no file may look at the folder that it runs in.
  const all: (PlainFile & { byGit?: true })[] = [{ path: ".", shows: "names" }, ...named];
  const reads: FileRef[] = [];
  for (const file of all) {
    const ref = await unlessFileError(physical(joined(folder, file.path), files), undefined);
    if (ref === undefined) return { uncertain: `names \`${file.path}\`, which cannot be looked at` };
    const why = await whyUncertain(file, ref, files);
    if (why !== undefined) return { uncertain: why };
    reads.push(ref);
  }
  const git = plain.programs.filter(program => program.git);
  const gitFolders = git.flatMap(({ words }) => {
    // Behind the command itself `-C` looks for copies.
    const at = words.findIndex((word, index) => index > 0 && !/^(?:--no-pager|-P|--no-optional-locks)$/.test(word));
    return [folder, ...(words[at] === "-C" ? [joined(folder, words[at + 1] ?? ".")] : [])];
  });
  return { reads, gitFolders: [...new Set(gitFolders)] };
}

async function whyUncertain(
  file: PlainFile & { byGit?: true },
  ref: FileRef,
  files: ReadFiles,
): Promise<string | undefined> {
  const type = (await unlessFileError(files.stat(ref), undefined))?.type;
  if (type !== undefined && type !== "file" && type !== "directory") return `reads ${ref.path}, which is no plain file`;
  if (file.followsLinks && type === "directory") return `follows links below ${ref.path}, wherever they lead`;
  if (file.shows !== "tree" || type !== "directory") return undefined;
  const found = await protectedBelow(ref, file, files);
  if (found === "") return `looks through more folders than can be known`;
  return found && `may show what is in ${found}`;
}

const joined = (folder: string, path: string): string =>
  path.startsWith("/") ? path : path === "." ? folder : `${folder}/${path}`;

/** `link/../x` is beside what the link leads to: each step is one of the disk. */
export async function physical(path: string, files: ReadFiles): Promise<FileRef> {
  const [first = "", ...steps] = path.split(/\/\.\.(?=\/|$)/);
  let ref = await files.resolve(first || "/");
  for (const step of steps.slice(0, 100)) {
    const above = ref.absolute.slice(0, ref.absolute.lastIndexOf("/")) || "/";
    ref = await files.resolve(above + step);
  }
  return steps.length > 100 ? files.resolve("/") : ref;
}
