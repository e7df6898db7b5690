/**
 * From the engine's stream of lines to what the model reads: up to 100 lines as they are; beyond that counts, then the
 * files with most hits and their first matches, spread over all of them. Memory holds the shown lines; the rest streams into a blob.
 */
import { defined } from "../../shared/defined";
import type { Redact } from "../../shared/redacted";
import { RawCapture } from "../commands/rawCapture";
import type { GrepLine, GrepQuery, TextWriter } from "../ground/ports";
import { clipEnd, count, counted, cutPoint, recallHint } from "../ground/text/format";

const MAX_RAW = 20 * 1024 * 1024;
const MAX_LINES = 100;
const MAX_CHARACTERS = 12_000;
const MAX_LINE = 400;
const SUMMARY_FILES = 50;
const SUMMARY_LINE = 200;
const FIRST_PER_FILE = 5;
const RAW_BATCH = 64 * 1024;

interface FileHits {
  path: string;
  hits: number;
  first: { line: number; text: string }[];
}

export class GrepReport {
  hits = 0;
  /** Why the search ended before the engine was done. */
  ended: "limit" | "size" | undefined;
  private lines = 0;
  private characters = 0;
  private whole: GrepLine[] = [];
  private readonly byFile = new Map<string, FileHits>();
  private pending = "";
  private readonly raw: RawCapture;

  constructor(
    private readonly mode: GrepQuery["mode"],
    /** entries that were asked for at most */
    private readonly limit: number,
    blobs: () => TextWriter,
    /** before a line is cut: of half a secret nothing is found */
    private readonly redact: Redact,
  ) {
    this.raw = new RawCapture(blobs, MAX_RAW);
  }

  get files(): number {
    return this.byFile.size;
  }

  /** Everything is in `text()`: the raw output is not needed. */
  get complete(): boolean {
    return this.lines <= MAX_LINES && this.characters <= MAX_CHARACTERS;
  }

  /** Takes a line; false: enough. */
  readonly add = (found: GrepLine): boolean => {
    const line = found.text.length > SUMMARY_LINE ? withoutSecrets(found, this.redact) : found;
    this.ended = this.lines >= this.limit ? "limit" : this.raw.bytes >= MAX_RAW ? "size" : undefined;
    if (this.ended) return false;
    this.lines += 1;
    this.characters += Math.min(line.text.length, MAX_LINE) + 8;
    if (this.complete) this.whole.push({ ...line, text: clipLine(line, MAX_LINE) });
    else if (this.whole.length > 0) this.whole = [];
    if (line.kind === "match") this.countHit(line);
    this.pending += rawLine(line, this.mode);
    if (this.pending.length >= RAW_BATCH) this.flush();
    return true;
  };

  private flush(): void {
    if (this.pending !== "") void this.raw.write(this.pending);
    this.pending = "";
  }

  /** The first matches as `path:line: text`. */
  firstMatches(most: number): string[] {
    const all = [...this.byFile.values()].sort(byPath).slice(0, most);
    if (this.mode !== "content") return all.map(file => file.path);
    return all.flatMap(file => file.first.map(({ line, text }) => `${file.path}:${line}: ${text}`)).slice(0, most);
  }

  /** What the result has of it, once no line comes any more. @param none the text where nothing was found */
  async outcome(none: string) {
    this.flush();
    const blob = this.complete ? undefined : await this.raw.finish();
    const text = this.files === 0 ? none : this.text(blob);
    const { failure } = this.raw;
    const failed = failure === undefined ? "" : `\nThe complete output could not be stored: ${failure}`;
    return { text: text + failed, partial: this.ended === "size", ...defined({ raw: blob }) };
  }

  /** Drops what was stored and is not part of a result. */
  end(): Promise<void> {
    return this.raw.discard();
  }

  /** For the model. `raw`: the complete output, where some is left out */
  private text(raw?: { sha256: string }): string {
    const body = this.mode === "content" ? this.content() : this.list();
    const notes = [
      `(${this.counts()})`,
      this.ended === "limit" && `There is more: raise head_limit, or narrow the search.`,
      this.ended === "size" &&
        "The search was ended after 20 MB of output; there is more. Narrow the pattern, path or glob.",
      raw && `Complete output: ${recallHint(raw.sha256)}. Or narrow the pattern, path or glob.`,
    ];
    return [...body, ...notes.filter(note => typeof note === "string")].join("\n");
  }

  counts(): string {
    const files = counted(this.files, "file");
    return this.mode === "files_with_matches" ? files : `${counted(this.hits, "hit")} in ${files}`;
  }

  private countHit(line: GrepLine): void {
    const file = this.byFile.get(line.path) ?? { path: line.path, hits: 0, first: [] };
    this.byFile.set(line.path, file);
    const hits = line.count ?? 1;
    file.hits += hits;
    this.hits += hits;
    if (file.first.length < FIRST_PER_FILE)
      file.first.push({ line: line.line, text: clipLine(line, SUMMARY_LINE).trim() });
  }

  private content(): string[] {
    if (!this.complete) return this.summary();
    const out: string[] = [];
    let before: GrepLine | undefined;
    const hasContext = this.whole.some(line => line.kind === "context");
    // Engines search files side by side: their order says nothing and changes from call to call.
    for (const line of this.whole.sort((a, b) => byPath(a, b) || a.line - b.line)) {
      if (line.path !== before?.path) out.push(...(before ? [""] : []), line.path);
      else if (hasContext && line.line > before.line + 1) out.push("--");
      out.push(`${line.line}${line.kind === "match" ? ":" : "-"}${line.text}`);
      before = line;
    }
    return out;
  }

  private summary(): string[] {
    const files = this.mostHitsFirst();
    const shown = files.slice(0, SUMMARY_FILES);
    const others = files.slice(SUMMARY_FILES);
    const each = Math.floor(MAX_LINES / shown.length);
    const out = [`More than ${MAX_LINES} lines: the files with most hits first, and the first hits of each.`];
    for (const file of shown) {
      out.push(`${file.path} (${count(file.hits)})`);
      for (const { line, text } of file.first.slice(0, each)) out.push(`${line}:${text}`);
    }
    if (others.length > 0) {
      const hits = others.reduce((sum, file) => sum + file.hits, 0);
      out.push(`… ${counted(others.length, "more file")} with ${counted(hits, "hit")}`);
    }
    return out;
  }

  private list(): string[] {
    const files = this.mode === "count" ? this.mostHitsFirst() : [...this.byFile.values()].sort(byPath);
    const shown = files
      .slice(0, MAX_LINES)
      .map(file => (this.mode === "count" ? `${file.path}:${file.hits}` : file.path));
    return files.length > shown.length ? [...shown, `… ${counted(files.length - shown.length, "more file")}`] : shown;
  }

  private mostHitsFirst(): FileHits[] {
    return [...this.byFile.values()].sort((a, b) => b.hits - a.hits || byPath(a, b));
  }
}

const clipLine = ({ text, hits = [], moreHits }: GrepLine, most: number) => clipHits(text, hits, most, moreHits);

const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

function rawLine(line: GrepLine, mode: GrepQuery["mode"]): string {
  if (mode === "files_with_matches") return `${line.path}\n`;
  if (mode === "count") return `${line.path}:${line.count ?? 0}\n`;
  const mark = line.kind === "match" ? ":" : "-";
  return `${line.path}${mark}${line.line}${mark}${line.text}\n`;
}

type HitRange = readonly [from: number, to: number];

const MOST_SHOWN = 4;

/**
 * At most some `most` characters of a line: those around its first hits, with "…" where something is left out, and how many
 * hits are not shown.
 * @param more hits that `text` does not have any more
 */
function clipHits(text: string, hits: readonly HitRange[], most: number, more = 0): string {
  if (text.length <= most && more === 0) return text;
  if (hits.length === 0) return clipEnd(text, most);
  const shown = hits.slice(0, Math.min(MOST_SHOWN, Math.ceil(most / 100)));
  const room = Math.floor(most / shown.length);
  const windows: [number, number][] = [];
  for (const [from, to] of shown) {
    const before = Math.max(Math.floor((room - (to - from)) / 2), Math.floor(room / 8));
    const start = cutPoint(text, Math.max(0, Math.min(from - before, text.length - room)));
    const end = cutPoint(text, Math.min(text.length, start + room));
    const last = windows.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else windows.push([start, end]);
  }
  const within = ([from]: HitRange) => windows.some(([start, end]) => from >= start && from < end);
  const left = more + hits.filter(hit => !within(hit)).length;
  const first = windows[0]?.[0] ?? 0;
  const last = windows.at(-1)?.[1] ?? text.length;
  const parts = windows.map(([start, end]) => text.slice(start, end)).join(" … ");
  const note = left > 0 ? ` [${count(left)} more ${left === 1 ? "hit" : "hits"} in this line]` : "";
  return `${first > 0 ? "… " : ""}${parts}${last < text.length ? " …" : ""}${note}`;
}

/** Where a secret was replaced the hits have moved: such a line is shown from its beginning. */
function withoutSecrets(found: GrepLine, redact: Redact): GrepLine {
  const text = redact(found.text);
  return text === found.text ? found : { ...found, text, hits: [] };
}
