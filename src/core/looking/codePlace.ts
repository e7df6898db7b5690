/** Asking language extensions, and the place of a symbol that a model names by file and line, never by columns. */
import { untilAborted } from "../../shared/async";
import type { ToolDiagnostics } from "../changes/diagnostics/problems";
import { isNotebookPath } from "../changes/edits/notebook";
import type {
  Clock,
  CodeAction,
  CodeIntelligence,
  CodeLocation,
  CodePosition,
  CodeRange,
  FileRef,
  Root,
} from "../ground/ports";
import { CodeError, FileError, SearchError, ToolError } from "../ground/ports";
import { timeLimit } from "../ground/ports/basics";
import { splitLines } from "../ground/text/lines";
import { type FindPorts, statFile } from "../tool/resolvePlaces";
import type { CallContext } from "../tool/tool";

export interface CodePorts extends FindPorts {
  code: CodeIntelligence;
  clock: Clock;
}

interface NamedPlace {
  symbol?: string | undefined;
  file_path?: string | undefined;
  line?: number | undefined;
}

interface SymbolPlace {
  ref: FileRef;
  at: CodePosition;
  /** the last part of the symbol's name */
  name: string;
}

export const MAX_BYTES = 20 * 1024 * 1024;
const LISTED = 10;

/** Throws ToolError: NOT_FOUND, AMBIGUOUS with the places there are, INVALID_INPUT, and what reading the file throws. */
export async function findPlace(ports: CodePorts, asked: NamedPlace, call: CallContext): Promise<SymbolPlace> {
  const { symbol, file_path: path, line } = asked;
  if (symbol === undefined) throw new ToolError("INVALID_INPUT", "Name the symbol, and the file it stands in.");
  if (path === undefined) return findInWorkspace(ports, symbol, call);
  const ref = await ports.files.resolve(path);
  const lines = await codeLines(ports, ref, call);
  const { name, containers } = symbolParts(symbol);
  const places = occurrences(lines, name);
  const [first] = places;
  if (!first) throw new ToolError("NOT_FOUND", `${name} does not stand in ${ref.path}.`, { path: ref.path });
  if (line !== undefined) {
    const onLine = places.find(at => at.line === line) ?? (places.length === 1 ? first : undefined);
    if (onLine) return { ref, at: onLine, name };
    const words = `${name} does not stand on line ${line} of ${ref.path}, but on ${linesText(places)}.`;
    throw new ToolError("NOT_FOUND", words, { path: ref.path });
  }
  return { ref, at: (await declared(ports, ref, { name, containers }, call)) ?? first, name };
}

/** The lines of a text file. Throws ToolError for other files and notebooks. */
export async function codeLines(ports: CodePorts, ref: FileRef, call: CallContext): Promise<string[]> {
  await statFile(ports, ref, call);
  if (isNotebookPath(ref.path))
    throw new ToolError("INVALID_INPUT", `${ref.path} is a notebook: use Read and Grep there.`, { path: ref.path });
  const file = await ports.files.read(ref, MAX_BYTES);
  if (file.kind === "text") return splitLines(file.text);
  throw new ToolError("BINARY", `${ref.path} is a binary file.`, { path: ref.path });
}

/** Where the file declares it; undefined: it does not, or no extension tells. */
async function declared(
  ports: CodePorts,
  ref: FileRef,
  { name, containers }: SymbolParts,
  call: CallContext,
): Promise<CodePosition | undefined> {
  const outline = (await answered(ports, call, stop => ports.code.outline(ref, stop))) ?? [];
  const named = outline.filter(symbol => bareName(symbol.name) === name);
  const fitting = named.filter(symbol => endsWith(symbol.containers, containers));
  const found = fitting.length > 0 ? fitting : named;
  // Overloads stand in one place by name: the first of them has the others.
  if (new Set(found.map(symbol => symbol.containers.join("."))).size <= 1) return found[0]?.range.start;
  const listed = found.map(symbol => `${[...symbol.containers, name].join(".")} (line ${symbol.range.start.line})`);
  const words = `${ref.path} has several of that name: ${listed.slice(0, LISTED).join(", ")}. Name one with line.`;
  throw new ToolError("AMBIGUOUS", words, { path: ref.path });
}

async function findInWorkspace(ports: CodePorts, symbol: string, call: CallContext): Promise<SymbolPlace> {
  const { name, containers } = symbolParts(symbol);
  const all = (await workspaceSymbols(ports, name, call)).filter(found => bareName(found.name ?? "") === name);
  const shown = all.filter(({ ref, cell }) => call.protectedBecause(ref) === undefined && cell === undefined);
  const last = containers.at(-1);
  const fitting = shown.filter(({ container }) => last === undefined || container?.split(/\W+/).includes(last));
  const [first, ...others] = fitting.length > 0 ? fitting : shown;
  if (!first) {
    const words = `No language extension of the editor lists a symbol ${name} in the workspace. Name a file that has it as file_path, or use Grep.`;
    throw new ToolError("NOT_FOUND", words);
  }
  if (others.length > 0) {
    const listed = [first, ...others].slice(0, LISTED).map(found => `${found.ref.path}:${found.range.start.line}`);
    const words = `${name} is declared in several places: ${listed.join(", ")}. Name one with file_path and line.`;
    throw new ToolError("AMBIGUOUS", words);
  }
  // Extensions list the declaration; its name is in the first lines.
  const { ref, range } = first;
  const lines = await codeLines(ports, ref, call);
  const at = occurrences(lines, name).find(place => place.line >= range.start.line);
  return { ref, at: at ?? range.start, name };
}

/**
 * Symbols of the workspace by name, those of protected files too. Many extensions begin only with the first open file of
 * their language: where nothing is listed, a file that has the word is opened, and they are asked again.
 */
export async function workspaceSymbols(
  ports: CodePorts,
  query: string,
  call: CallContext,
): Promise<readonly CodeLocation[]> {
  const ask = () => answered(ports, call, stop => ports.code.symbols(query, stop));
  const found = await ask();
  if (found.length > 0) return found;
  const file = await fileWith(ports, query, call);
  if (!file) return found;
  await ports.code.open(file);
  return ask();
}

/** An unprotected file of the workspace with the word. */
async function fileWith(ports: CodePorts, word: string, call: CallContext): Promise<FileRef | undefined> {
  for (const root of ports.files.roots) {
    const paths = await pathsWith(ports, root, word, call.signal);
    const refs = await Promise.all(paths.map(path => ports.files.resolve(path)));
    const found = refs.find(ref => call.protectedBecause(ref) === undefined);
    if (found) return found;
  }
  return undefined;
}

/** None in a folder that cannot be searched now: the others may have it. */
async function pathsWith({ files, search }: CodePorts, root: Root, word: string, signal: AbortSignal) {
  const paths: string[] = [];
  const query = { glob: "!*.{md,txt,json,lock,log,csv}", mode: "files_with_matches" as const, before: 0, after: 0 };
  try {
    const ref = await files.resolve(root.path);
    const grep = { ...query, ref, pattern: wordPattern(word), ignoreCase: false, multiline: false };
    await search.grep(grep, ({ path }) => paths.push(path) < LISTED, signal);
  } catch (error) {
    if (!(error instanceof SearchError || error instanceof FileError)) throw error;
  }
  return paths;
}

interface SymbolParts {
  name: string;
  containers: readonly string[];
}

/** `Store.load`, `Store::load`, `Store#load()` → load in Store. */
function symbolParts(symbol: string): SymbolParts {
  const written = symbol.trim();
  const open = written.endsWith(")") ? written.indexOf("(") : -1;
  const parts = written
    .slice(0, open < 0 ? undefined : open)
    .split(/\.|::|#|->/)
    .filter(part => part !== "");
  return { name: parts.at(-1) ?? symbol, containers: parts.slice(0, -1) };
}

/** Some extensions write parameters behind a function's name: `load(id)`. */
const bareName = (name: string) => name.replace(/\(.*/s, "");

const endsWith = (all: readonly string[], last: readonly string[]) =>
  last.every((name, index) => all[all.length - last.length + index] === name);

const WORD = "[\\p{L}\\p{N}_$]";
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** For ripgrep: the word alone, where it is one. */
function wordPattern(word: string): string {
  const bound = (edge: string | undefined) => (edge !== undefined && /\w/.test(edge) ? "\\b" : "");
  return `${bound(word[0])}${escaped(word)}${bound(word.at(-1))}`;
}

/** Places of the name as a whole word. */
function occurrences(lines: readonly string[], name: string): CodePosition[] {
  const pattern = new RegExp(`(?<!${WORD})${escaped(name)}(?!${WORD})`, "gu");
  return lines.flatMap((text, index) =>
    text.includes(name)
      ? Array.from(text.matchAll(pattern), match => ({ line: index + 1, column: match.index + 1 }))
      : [],
  );
}

function linesText(places: readonly CodePosition[]): string {
  const lines = [...new Set(places.map(({ line }) => line))];
  const shown = lines.slice(0, LISTED).join(", ");
  return `${lines.length === 1 ? "line" : "lines"} ${shown}${lines.length > LISTED ? ", …" : ""}`;
}

/** What the problems of the file are is found out first: without them most extensions offer nothing. */
export async function fixesAt(
  ports: CodePorts & { diagnostics?: ToolDiagnostics | undefined },
  ref: FileRef,
  asked: NamedPlace,
  call: CallContext,
): Promise<readonly CodeAction[]> {
  const { code, diagnostics } = ports;
  const lines = await codeLines(ports, ref, call);
  const line = asked.symbol === undefined ? asked.line : (await findPlace(ports, asked, call)).at.line;
  await diagnostics?.source.look(ref, Math.max(diagnostics.waitMs(), 2_000), call.signal);
  call.signal.throwIfAborted();
  const range: CodeRange | undefined =
    line === undefined
      ? undefined
      : { start: { line, column: 1 }, end: { line, column: (lines[line - 1] ?? "").length + 1 } };
  return answered(ports, call, stop => code.actions(ref, range, "quickfix", stop));
}

/** ms: a server that has just been started reads the project first */
const LOOK_MS = 20_000;
/** ms: of a rename, every file that may name it is looked at */
export const CHANGE_MS = 45_000;

/**
 * What an extension answers. Throws ToolError: TIMEOUT where it does not in time, NOT_FOUND where it refuses, in its words; and
 * rejects with the signal's reason at once when that is aborted.
 */
export async function answered<T>(
  { clock }: CodePorts,
  { signal }: CallContext,
  ask: (stop: AbortSignal) => Promise<T>,
  ms = LOOK_MS,
): Promise<T> {
  const words = `The editor's language extension did not answer within ${ms / 1000} s. Nothing was changed. It may still be starting: go on with Grep and Edit, or try once more later.`;
  const limit = timeLimit(ms, clock, new ToolError("TIMEOUT", words));
  const stop = AbortSignal.any([signal, limit.signal]);
  try {
    return await untilAborted(ask(stop), stop);
  } catch (error) {
    stop.throwIfAborted();
    if (!(error instanceof CodeError)) throw error;
    throw new ToolError("NOT_FOUND", `The editor's language extension says: ${error.message} Nothing was changed.`);
  } finally {
    limit.end();
  }
}
