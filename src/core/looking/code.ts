/** Code: what the editor's language extensions know of a symbol, a file, the workspace. It changes nothing. */
import * as z from "zod";
import description from "../../../prompts/tools/code.md";
import { defined } from "../../shared/defined";
import type { Stamp } from "../../shared/toolResult";
import type { ToolDiagnostics } from "../changes/diagnostics/problems";
import type { CodeLocation, CodeQuestion, CodeSymbol, FileRef, TextFile, TextWriter } from "../ground/ports";
import { ToolError } from "../ground/ports";
import { unlessFileError } from "../ground/ports/files";
import { clipEnd, counted } from "../ground/text/format";
import { number, pick } from "../ground/text/json";
import { splitLines } from "../ground/text/lines";
import { readInPart } from "../log/stamps";
import { protectedNote } from "../tool/resolvePlaces";
import { firstEntries, type ResultForms } from "../tool/resultForms";
import { defineTool, lookingCall, type RunContext, success, type ToolOutcome } from "../tool/tool";
import { answered, type CodePorts, codeLines, findPlace, fixesAt, MAX_BYTES, workspaceSymbols } from "./codePlace";
import { GrepReport } from "./grepReport";

const HOVER_CHARACTERS = 6_000;
const OUTLINE_LINES = 200;
const FIX_LINES = 50;
const KEPT_PLACES = 5;
/** lines of one declaration */
const DECLARATION_LINES = 40;
/** files that are read for the lines in them */
const MAX_FILES = 200;
/** characters of a line that Grep's words may cut */
const WHOLE_LINE = 200;
/** For a definition in a library outside the workspace. */
const UNREAD = "(outside the workspace: Read shows it)";

const input = z.object({
  action: z.enum(["definition", "references", "implementations", "callers", "hover", "symbols", "fixes"]),
  symbol: z.string().min(1).optional(),
  file_path: z.string().min(1).optional(),
  line: z.int().min(1).optional(),
});
type CodeInput = z.infer<typeof input>;

interface CodeToolPorts extends CodePorts {
  blobs(): TextWriter;
  diagnostics?: ToolDiagnostics | undefined;
}

export const codeTool = (ports: CodeToolPorts) =>
  defineTool({
    name: "Code",
    description,
    input,
    effect: "read",
    forms,
    async prepare(asked) {
      const targets = asked.file_path === undefined ? [] : [await ports.files.resolve(asked.file_path)];
      const what = [asked.symbol, asked.file_path].filter(part => part !== undefined).join(" in ");
      const title = `Look up ${asked.action}${what === "" ? "" : ` of ${what}`}`;
      return lookingCall("Code", { title, targets, about: [asked] }, run => look(ports, asked, run));
    },
  });

const forms: ResultForms = {
  kept(facts, { handle }) {
    const places = { listed: number(facts, "hits"), one: "place", handle };
    return facts.first === undefined
      ? undefined
      : { ...pick(facts, "action", "symbol", "hits", "files"), ...firstEntries(facts, KEPT_PLACES, places) };
  },
  folded: facts => (facts.hits === undefined ? "" : counted(number(facts, "hits"), "place")),
};

async function look(ports: CodeToolPorts, asked: CodeInput, run: RunContext): Promise<ToolOutcome> {
  switch (asked.action) {
    case "hover":
      return hover(ports, asked, run);
    case "symbols":
      return asked.file_path === undefined ? symbols(ports, asked, run) : outline(ports, asked.file_path, run);
    case "fixes":
      return fixes(ports, asked, run);
    default:
      return locate(ports, asked.action, asked, run);
  }
}

const NOT_KNOWN = "or no language extension of the editor knows its language: use Grep then.";

async function locate(ports: CodeToolPorts, kind: CodeQuestion, asked: CodeInput, run: RunContext) {
  const { ref, at, name } = await findPlace(ports, asked, run);
  const found = await answered(ports, run, stop => ports.code.locate(kind, ref, at, stop));
  const none = `No ${kind} of ${name} in ${ref.path} found, ${NOT_KNOWN}`;
  return report(ports, run, found, { action: kind, symbol: name, none });
}

async function symbols(ports: CodeToolPorts, { symbol }: CodeInput, run: RunContext): Promise<ToolOutcome> {
  if (symbol === undefined)
    throw new ToolError("INVALID_INPUT", "symbols needs file_path, or symbol: a part of the name to look for.");
  const found = await workspaceSymbols(ports, symbol, run);
  const none = `No symbol of the workspace has ${symbol} in its name, ${NOT_KNOWN}`;
  return report(ports, run, found, { action: "symbols", symbol, none });
}

async function report(
  ports: CodeToolPorts,
  run: RunContext,
  found: readonly CodeLocation[],
  told: { action: CodeInput["action"]; symbol: string; none: string },
): Promise<ToolOutcome> {
  const report = new PlacesReport(ports, run);
  try {
    await report.add(found, told.action === "definition" || told.action === "implementations");
    return await report.outcome(told);
  } finally {
    await report.end();
  }
}

async function outline(ports: CodeToolPorts, path: string, run: RunContext): Promise<ToolOutcome> {
  const ref = await ports.files.resolve(path);
  await codeLines(ports, ref, run);
  const found = await answered(ports, run, stop => ports.code.outline(ref, stop));
  const lines = (found ?? []).map(symbolLine);
  const shown = lines.slice(0, OUTLINE_LINES);
  const none = `No language extension of the editor tells of symbols in ${ref.path}: it declares none, or nobody knows its language. Read it, or use Grep.`;
  const rest = lines.length - shown.length;
  const more = rest > 0 ? [`… ${counted(rest, "more symbol")}: ask for one with symbol, or Read a part.`] : [];
  return success({
    data: { action: "symbols", path: ref.path, hits: lines.length, files: 1, first: shown.slice(0, KEPT_PLACES) },
    text: lines.length === 0 ? none : [ref.path, ...shown, ...more].join("\n"),
    digest: `Code symbols of ${ref.path}: ${counted(lines.length, "symbol")}`,
    partial: rest > 0,
  });
}

const symbolLine = ({ name, kind, containers, whole: { start, end } }: CodeSymbol) =>
  `${"  ".repeat(containers.length)}${start.line}-${end.line} ${kind} ${clipEnd(name, 200)}`;

async function hover(ports: CodeToolPorts, asked: CodeInput, run: RunContext): Promise<ToolOutcome> {
  const { ref, at, name } = await findPlace(ports, asked, run);
  const texts = await answered(ports, run, stop => ports.code.hover(ref, at, stop));
  const text = clipEnd(run.redact(texts.join("\n\n").trim()), HOVER_CHARACTERS);
  const none = `Nothing is told of ${name} at ${ref.path}:${at.line}, ${NOT_KNOWN}`;
  return success({
    data: { action: "hover", symbol: name, path: ref.path, line: at.line },
    text: text === "" ? none : `${ref.path}:${at.line}\n${text}`,
    digest: `Code hover ${name} in ${ref.path}`,
  });
}

async function fixes(ports: CodeToolPorts, asked: CodeInput, run: RunContext): Promise<ToolOutcome> {
  if (asked.file_path === undefined)
    throw new ToolError("INVALID_INPUT", "fixes needs file_path, and line or symbol for those of one place.");
  const ref = await ports.files.resolve(asked.file_path);
  const found = await fixesAt(ports, ref, asked, run);
  const lines = found.map(({ title, change, preferred }) => {
    const note = preferred ? " (preferred)" : "";
    return `- ${clipEnd(title, 300)}${change ? note : " (only in the editor: it runs a command of its extension)"}`;
  });
  const shown = lines.slice(0, FIX_LINES);
  const where = asked.line === undefined ? ref.path : `${ref.path}:${asked.line}`;
  const more = lines.length - shown.length;
  return success({
    data: { action: "fixes", path: ref.path, hits: lines.length, files: 1, first: shown.slice(0, KEPT_PLACES) },
    text:
      lines.length === 0
        ? `No language extension offers a fix for ${where}. Most look for problems only in files that are open in a tab.`
        : [`Fixes for ${where}; apply one with Refactor fix and its title:`, ...shown]
            .concat(more > 0 ? [`… ${counted(more, "more fix", "more fixes")}: name a line.`] : [])
            .join("\n"),
    digest: `Code fixes for ${where}: ${counted(lines.length, "fix", "fixes")}`,
    partial: more > 0,
  });
}

/**
 * Places in code for the model, in the words and bounds of Grep. Lines that it was shown whole count as read, so that an Edit
 * of them needs no second look.
 */
class PlacesReport {
  private readonly lines: GrepReport;
  private readonly hidden = new Set<string>();
  private readonly shown = new Map<string, { ref: FileRef; file: TextFile; lines: number[] }>();

  constructor(
    private readonly ports: CodeToolPorts,
    private readonly run: RunContext,
  ) {
    this.lines = new GrepReport("content", Number.POSITIVE_INFINITY, ports.blobs, run.redact);
  }

  /** @param whole shows the declaration too, as far as it fits */
  async add(places: readonly CodeLocation[], whole: boolean): Promise<void> {
    const grouped = [...Map.groupBy(places, ({ ref }) => ref.uri).values()];
    const read = grouped.flatMap(here => {
      const [{ ref } = {}] = here;
      const isShown =
        ref && this.run.protectedBecause(ref) === undefined && here.every(each => each.cell === undefined);
      return isShown ? [ref] : [];
    });
    const textOf = (ref: FileRef) => unlessFileError(this.ports.files.read(ref, MAX_BYTES), undefined);
    const first = read.slice(0, MAX_FILES);
    const texts = new Map(await Promise.all(first.map(async ref => [ref.uri, await textOf(ref)] as const)));
    this.run.signal.throwIfAborted();
    for (const here of grouped) {
      const [{ ref } = {}] = here;
      if (!ref) continue;
      const isProtected = this.run.protectedBecause(ref) !== undefined;
      const file = texts.get(ref.uri);
      if (isProtected && ref.inside) this.hidden.add(ref.path);
      else if (file?.kind === "text") this.addText(ref, file, here, whole);
      else this.addUnread(ref, here);
    }
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

  /** @param none the sentence for no result */
  async outcome(told: { action: string; symbol: string; none: string }): Promise<ToolOutcome> {
    const { action, symbol, none } = told;
    const { hits, files, complete } = this.lines;
    const { text, ...stored } = await this.lines.outcome(none);
    return success({
      ...stored,
      data: { action, symbol, hits, files, first: this.lines.firstMatches(KEPT_PLACES) },
      text: this.hidden.size > 0 ? `${text}\n${protectedNote(this.hidden)}` : text,
      digest: `Code ${action} ${symbol}: ${this.lines.counts()}`,
      ...defined({ stamps: complete ? this.stamps() : undefined }),
    });
  }

  end(): Promise<void> {
    return this.lines.end();
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
