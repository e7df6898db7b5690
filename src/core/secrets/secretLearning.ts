/** Files, search and commands that teach the redactor: an `.env` file in an unusual place is known once it is touched, and a line of a private key where it comes alone. */
import { isEnvFile } from "../../shared/envFile";
import { fileName } from "../../shared/paths";
import { type FileRef, type Files, type GrepLine, type Redactor, type Search, SearchError } from "../ground/ports";
import { unlessFileError } from "../ground/ports/files";
import { hasKeyWidth, KEY_LINE, looksLikeKeyLine } from "../ground/text/privateKeys";
import { observedFiles } from "./knownTexts";

const holdsVariables = (ref: FileRef) => isEnvFile(fileName(ref.absolute));

/** Reading and writing as before; also the editor's text with unsaved changes is learned from. */
export const secretLearningFiles = (files: Files, { learn, learnKeys }: Redactor): Files =>
  observedFiles(files, (ref, text) => {
    if (holdsVariables(ref)) learn(text);
    else learnKeys(text);
  });

/** Of lines that wait for their files to be read, together. */
const MAX_HELD = 5_000;
/** files that are read for one search */
const MAX_READ = 100;
const MAX_BYTES = 20 * 1024 * 1024;

/** @param files teach the redactor: a hit that could be a line of a private key waits until its file was read */
export const secretLearningSearch = (search: Search, files: Files, { learn }: Redactor): Search => ({
  grep: async (query, onLine, signal) => {
    const held = new HeldLines(onLine);
    await search.grep(
      query,
      line => {
        if (isEnvFile(fileName(line.path))) learn(line.text);
        return held.take(line);
      },
      signal,
    );
    if (!signal.aborted) await held.release(path => isRead(files, path, MAX_BYTES));
  },
  glob: (ref, pattern, signal) => search.glob(ref, pattern, signal),
  ignored: (folder, names, signal) => search.ignored(folder, names, signal),
});

/** false: its content is unknown */
async function isRead(files: Files, path: string, most: number): Promise<boolean> {
  const read = async () => files.read(await files.resolve(path), most);
  return (await unlessFileError(read(), undefined)) !== undefined;
}

class HeldLines {
  private readonly byPath = new Map<string, GrepLine[]>();
  private count = 0;
  private ended = false;

  constructor(private readonly onLine: (line: GrepLine) => boolean | undefined) {}

  take(line: GrepLine): boolean | undefined {
    const waiting = this.byPath.get(line.path);
    if (!waiting && !looksLikeKeyLine(line.text)) return this.pass(line);
    if (this.count >= MAX_HELD) return this.pass(withoutKey(line));
    this.count += 1;
    if (waiting) waiting.push(line);
    else this.byPath.set(line.path, [line]);
    return true;
  }

  async release(isKnown: (path: string) => Promise<boolean>): Promise<void> {
    let files = 0;
    for (const [path, lines] of this.byPath) {
      files += 1;
      const known = files <= MAX_READ && (await isKnown(path));
      for (const line of lines) {
        if (this.ended) return;
        this.pass(known ? line : withoutKey(line));
      }
    }
  }

  private pass(line: GrepLine): boolean | undefined {
    const more = this.onLine(line);
    this.ended ||= more === false;
    return more;
  }
}

const withoutKey = (line: GrepLine): GrepLine => (looksLikeKeyLine(line.text) ? { ...line, text: KEY_LINE } : line);

/** Looks for private keys where a text has a line of their width: it may be of a file that was not named. Never rejects for a search that fails. @param files teach the redactor */
export async function learnFromOutput(text: string, search: Search, files: Files, signal: AbortSignal): Promise<void> {
  if (signal.aborted || !hasKeyWidth(text)) return;
  const paths = new Set<string>();
  const query = { pattern: "PRIVATE KEY-----|SSH2 .*PRIVATE KEY|^Private-Lines:", mode: "files_with_matches" } as const;
  const how = { ...query, before: 0, after: 0, ignoreCase: false, multiline: false };
  for (const root of files.roots) {
    const ref = await unlessFileError(files.resolve(root.path), undefined);
    const look = async () => ref && search.grep({ ...how, ref }, line => paths.add(line.path).size < MAX_READ, signal);
    await look().catch(error => {
      // Without an engine, or stopped: the output is still there.
      if (!(error instanceof SearchError) && !signal.aborted) throw error;
    });
  }
  for (const path of paths) await isRead(files, path, MAX_KEY_FILE);
}

/** No key is longer (bytes). */
const MAX_KEY_FILE = 64 * 1024;
const MAX_WORDS = 40;
const MAX_FOLDERS = 3;

/** Reads the small files that a command names: it may print one line of a private key. @param files teach the redactor @param cwd absolute */
export async function learnFromCommand(command: string, cwd: string, files: Files): Promise<void> {
  const words = command.split(/[\s"'`;|&<>(){}=,]+/).filter(word => /\w/.test(word) && !/^-|[*?$]/.test(word));
  const names = [...new Set(words)].slice(0, MAX_WORDS);
  const folders = [cwd];
  for (const name of names) {
    for (const folder of folders.slice()) {
      const path = /^(?:[/~\\]|[A-Za-z]:[/\\])/.test(name) ? name : `${folder}/${name}`;
      const ref = await unlessFileError(files.resolve(path), undefined);
      const stat = ref && (await unlessFileError(files.stat(ref), undefined));
      // `cd keys && sed -n 5p id_rsa`
      if (stat?.type === "directory" && folders.length <= MAX_FOLDERS) folders.push(path);
      const isSmall = stat?.type === "file" && stat.size <= MAX_KEY_FILE;
      if (ref && isSmall) await unlessFileError(files.read(ref, MAX_KEY_FILE), undefined);
    }
  }
}
