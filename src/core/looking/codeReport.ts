/**
 * Places in code for the model, in the words and bounds of Grep. Lines that it was shown whole count as read, so that an Edit
 * of them needs no second look.
 */
import { defined } from "../../shared/defined";
import type { Stamp } from "../../shared/toolResult";
import { RawCapture } from "../commands/rawCapture";
import type { CodeLocation, FileRef, Files, TextFile, TextWriter } from "../ground/ports";
import { unlessFileError } from "../ground/ports/files";
import { splitLines } from "../ground/text/lines";
import { readInPart } from "../log/stamps";
import { protectedNote } from "../tool/resolvePlaces";
import { type RunContext, success, type ToolOutcome } from "../tool/tool";
import { GrepReport, MAX_RAW } from "./grepReport";

/** lines of one declaration */
const DECLARATION_LINES = 40;
/** files that are read for the lines in them */
const MAX_FILES = 200;
const MAX_BYTES = 20 * 1024 * 1024;
/** characters of a line that Grep's words may cut */
const WHOLE_LINE = 200;
const KEPT_PLACES = 5;

export interface CodeReportPorts {
  files: Files;
  blobs(): TextWriter;
}

/** For a definition in a library outside the workspace. */
const UNREAD = "(outside the workspace: Read shows it)";

export class CodeReport {
  readonly lines: GrepReport;
  private readonly raw: RawCapture;
  private readonly hidden = new Set<string>();
  private readonly shown = new Map<string, { ref: FileRef; file: TextFile; lines: number[] }>();

  constructor(
    private readonly ports: CodeReportPorts,
    private readonly run: RunContext,
  ) {
    this.raw = new RawCapture(ports.blobs, MAX_RAW);
    this.lines = new GrepReport("content", Number.POSITIVE_INFINITY, this.raw, run.redact);
  }

  /** @param whole shows the declaration too, as far as it fits */
  async add(places: readonly CodeLocation[], whole: boolean): Promise<void> {
    const grouped = byFile(places);
    const isShown = ({ ref, here }: FilePlaces) =>
      this.run.protectedBecause(ref) === undefined && here.every(({ cell }) => cell === undefined);
    const read = grouped.filter(isShown).slice(0, MAX_FILES);
    const texts = new Map(await Promise.all(read.map(async ({ ref }) => [ref.uri, await this.read(ref)] as const)));
    this.run.signal.throwIfAborted();
    for (const { ref, here } of grouped) {
      const isProtected = this.run.protectedBecause(ref) !== undefined;
      const file = texts.get(ref.uri);
      if (isProtected && ref.inside) this.hidden.add(ref.path);
      else if (file?.kind === "text") this.addText(ref, file, here, whole);
      else this.addUnread(ref, here);
    }
    this.lines.flush();
  }

  private addUnread({ path, inside }: FileRef, places: readonly CodeLocation[]): void {
    for (const { range, cell, name } of places) {
      const where = cell === undefined ? (inside ? "" : UNREAD) : `(cell ${cell})`;
      const text = [named(name), where].filter(part => part !== "").join(" ");
      this.lines.add({ path, line: range.start.line, kind: "match", text });
    }
  }

  private addText(ref: FileRef, file: TextFile, places: readonly CodeLocation[], whole: boolean): void {
    const texts = splitLines(file.text);
    const wanted = new Map<number, "match" | "context">();
    for (const { range, whole: all = range } of places) {
      const last = whole ? Math.min(all.end.line, range.start.line + DECLARATION_LINES - 1) : 0;
      for (let line = range.start.line + 1; line <= last; line++) if (!wanted.has(line)) wanted.set(line, "context");
      wanted.set(range.start.line, "match");
    }
    const isWhole = (text: string) => text.length <= WHOLE_LINE && this.run.redact(text) === text;
    const lines: number[] = [];
    for (const [line, kind] of [...wanted].sort(([a], [b]) => a - b)) {
      const text = texts[line - 1];
      // The extension is behind the text: what it means is not there any more.
      if (text === undefined) continue;
      const names = new Set(places.flatMap(({ range, name }) => (range.start.line === line && name ? [name] : [])));
      const added = [...names].map(name => (text.includes(name) ? "" : `  ${named(name)}`)).join("");
      this.lines.add({ path: ref.path, line, kind, text: text + added });
      if (isWhole(text)) lines.push(line);
    }
    this.shown.set(ref.uri, { ref, file, lines });
  }

  /** undefined: it cannot be read */
  private read(ref: FileRef) {
    return unlessFileError(this.ports.files.read(ref, MAX_BYTES), undefined);
  }

  /** @param none the sentence for no result */
  async outcome(told: { action: string; symbol: string; none: string }): Promise<ToolOutcome> {
    const { action, symbol } = told;
    const blob = this.lines.complete ? undefined : await this.raw.finish();
    const { hits, files } = this.lines;
    const text = files === 0 ? told.none : this.lines.text(blob);
    const failed = this.raw.failure === undefined ? "" : `The complete list could not be stored: ${this.raw.failure}`;
    const left = this.hidden.size > 0 ? protectedNote(this.hidden) : "";
    return success({
      data: { action, symbol, hits, files, first: this.lines.firstMatches(KEPT_PLACES) },
      text: [text, left, failed].filter(part => part !== "").join("\n"),
      digest: `Code ${action} ${symbol}: ${this.lines.counts()}`,
      partial: this.lines.ended === "size",
      ...defined({ raw: blob, stamps: this.lines.complete ? this.stamps() : undefined }),
    });
  }

  /** Discards the stored output. */
  end(): Promise<void> {
    return this.raw.discard();
  }

  private stamps(): { uri: string; stamp: Stamp }[] {
    return [...this.shown.values()].flatMap(({ ref, file, lines }) => {
      const [first, last] = [lines[0], lines.at(-1)];
      if (first === undefined || last === undefined) return [];
      const seen = new Set(lines);
      const cut = Array.from({ length: last - first + 1 }, (_, at) => first + at).filter(line => !seen.has(line));
      const total = splitLines(file.text).length;
      return [{ uri: ref.uri, stamp: readInPart(this.run.stampOf(ref.uri), file.stamp, { first, last, total, cut }) }];
    });
  }
}

const named = (name: string | undefined) => (name === undefined ? "" : `[${name}]`);

interface FilePlaces {
  ref: FileRef;
  here: CodeLocation[];
}

function byFile(places: readonly CodeLocation[]): FilePlaces[] {
  const files = new Map<string, FilePlaces>();
  for (const place of places) {
    const file = files.get(place.ref.uri) ?? { ref: place.ref, here: [] };
    files.set(place.ref.uri, file);
    file.here.push(place);
  }
  return [...files.values()];
}
