/** Code: what the editor's language extensions know of a symbol, a file, the workspace. It changes nothing. */
import * as z from "zod";
import description from "../../../prompts/tools/code.md";
import type { ToolDiagnostics } from "../changes/diagnostics/afterEdit";
import { type CodeLocation, type CodeQuestion, type CodeSymbol, ToolError } from "../ground/ports";
import { clipEnd, counted } from "../ground/text/format";
import { number, pick } from "../ground/text/toolFacts";
import { firstEntries, type ResultForms } from "../tool/resultForms";
import { defineTool, lookingCall, type RunContext, success, type ToolOutcome } from "../tool/tool";
import { answered, type CodePorts, codeLines, findPlace, fixesAt, LOOK_MS, workspaceSymbols } from "./codePlace";
import { CodeReport, type CodeReportPorts } from "./codeReport";

const HOVER_CHARACTERS = 6_000;
const OUTLINE_LINES = 200;
const FIX_LINES = 50;
const KEPT_PLACES = 5;

const input = z.object({
  action: z.enum(["definition", "references", "implementations", "callers", "hover", "symbols", "fixes"]),
  symbol: z.string().min(1).optional(),
  file_path: z.string().min(1).optional(),
  line: z.int().min(1).optional(),
});
type CodeInput = z.infer<typeof input>;

interface CodeToolPorts extends CodePorts, Pick<CodeReportPorts, "blobs"> {
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
  const { code, clock } = ports;
  const { ref, at, name } = await findPlace(ports, asked, run);
  const ask = (stop: AbortSignal) => code.locate(kind, ref, at, stop);
  const found = await answered(ask, { clock, signal: run.signal, limit: LOOK_MS });
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
  const report = new CodeReport(ports, run);
  try {
    await report.add(found, told.action === "definition" || told.action === "implementations");
    return await report.outcome(told);
  } finally {
    await report.end();
  }
}

async function outline(ports: CodeToolPorts, path: string, run: RunContext): Promise<ToolOutcome> {
  const { code, clock } = ports;
  const ref = await ports.files.resolve(path);
  await codeLines(ports, ref, run);
  const found = await answered(stop => code.outline(ref, stop), { clock, signal: run.signal, limit: LOOK_MS });
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
  const { code, clock } = ports;
  const { ref, at, name } = await findPlace(ports, asked, run);
  const texts = await answered(stop => code.hover(ref, at, stop), { clock, signal: run.signal, limit: LOOK_MS });
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
