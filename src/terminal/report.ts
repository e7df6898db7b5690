/**
 * `strata report DIR…`: what runs left (docs/runs.md), as one table. Read only. Results come from many machines: one that is missing,
 * half written or of another version is a row that says so.
 */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { escaped } from "../core/ground/text/report";
import { isMissing } from "../node/errno";
import { readRegular } from "../node/readRegular";
import { addUsage, costText, formatCost, isCostUnknown } from "../shared/cost";
import { errorMessage } from "../shared/errorMessage";
import { formatTokens, inARow } from "../shared/format";
import { isObject, parseJson } from "../shared/isObject";
import { t } from "../shared/l10n";
import type { Usage } from "../shared/messages";
import { type RunResult, runResultSchema } from "../shared/runResult";
import { visibleLine } from "../shared/shown";
import type { CommandOf } from "./args";
import type { Streams } from "./eventPrinter";
import { EXIT, jsonLine } from "./output";

/** `wrong`: why there is no result, in words */
type Row = { name: string } & ({ result: RunResult; wrong?: undefined } | { result?: undefined; wrong: string });

/** Exit code: 1 where one of them could not be read. */
export async function printRuns(command: CommandOf<"report">, { out }: Streams): Promise<number> {
  const rows: Row[] = [];
  // One after the other: there may be more folders than a process may have files open.
  for (const dir of new Set(command.dirs)) rows.push(...(await rowsOf(dir)));
  const sums = totals(rows);
  if (command.json) out(jsonLine({ results: rows.map(toJson), totals: sums }));
  else if (command.markdown) out(markdownTable(rows, sums));
  else out(textTable(rows, sums));
  return sums.broken > 0 ? EXIT.error : EXIT.done;
}

/** One of the folder itself, or one of each folder in it. */
async function rowsOf(dir: string): Promise<Row[]> {
  const own = await readRow(dir);
  if (own) return [own];
  try {
    const entries = await readdir(dir, { withFileTypes: true });
    const folders = entries.filter(
      entry => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith("."),
    );
    if (folders.length === 0) return [{ name: dir, wrong: nothingBegun() }];
    const byNumber = new Intl.Collator("en", { numeric: true }).compare;
    const names = folders.map(({ name }) => join(dir, name)).toSorted(byNumber);
    const rows: Row[] = [];
    for (const name of names) rows.push((await readRow(name)) ?? { name, wrong: nothingBegun() });
    return rows;
  } catch (error) {
    return [{ name: dir, wrong: t("cannot be read: {0}", errorMessage(error)) }];
  }
}

const nothingBegun = () => t("no result.json: nothing was begun here");

/** undefined: the folder has no result, or is none */
async function readRow(folder: string): Promise<Row | undefined> {
  const [name, path] = [folder, join(folder, "result.json")];
  try {
    const bytes = await readRegular(path, MAX_BYTES);
    if (!bytes) return { name, wrong: t("result.json is no file of ours") };
    const json = parseJson(bytes.toString("utf8"));
    if (!isObject(json)) return { name, wrong: t("half written, or no JSON") };
    if (json.version !== 1) return { name, wrong: t("of another version of Strata: {0}", String(json.version)) };
    const { data, error } = runResultSchema.safeParse(json);
    if (data) return { name, result: data };
    return { name, wrong: t("no result of a run: {0} is wrong", error.issues[0]?.path.join(".") ?? "") };
  } catch (error) {
    if (isMissing(error)) return undefined;
    return { name, wrong: t("cannot be read: {0}", errorMessage(error)) };
  }
}

/** A result has one answer and the names of files: it is far below. */
const MAX_BYTES = 64_000_000;

/** Commands after the last edit that ended badly. */
const failedCommands = ({ commands = [] }: RunResult) => commands.filter(({ exit }) => exit !== 0).length;

function totals(rows: readonly Row[]) {
  const results = rows.flatMap(({ result }) => result ?? []);
  const reasons: Partial<Record<RunResult["reason"], number>> = {};
  for (const { reason } of results) reasons[reason] = (reasons[reason] ?? 0) + 1;
  return {
    runs: rows.length,
    done: reasons.done ?? 0,
    broken: rows.length - results.length,
    reasons,
    usage: results.reduce<Usage>((sum, { usage }) => addUsage(sum, usage), { input: 0, output: 0 }),
    minutes: results.reduce((sum, { minutes = 0 }) => sum + minutes, 0),
    files: results.reduce((sum, { files = [] }) => sum + files.length, 0),
    commandsFailed: results.reduce((sum, result) => sum + failedCommands(result), 0),
  };
}

type Totals = ReturnType<typeof totals>;

function toJson({ name, result, wrong }: { name: string; result?: RunResult; wrong?: string }) {
  if (result === undefined) return { name, wrong };
  const { files, commands: _, answer: _words, before: _before, waits: _waits, ...facts } = result;
  return { name, ...facts, files: files?.length, commandsFailed: failedCommands(result) };
}

/** Of the table; the first three are text, numbers stand to the right. */
const titles = () => t("run | ended | model | exit | cost | tokens | minutes | files | failed").split(" | ");
const TEXTS = 3;

function cells(name: string, result: RunResult): string[] {
  const { reason, limit, error, model, exit, usage, minutes, files } = result;
  const why = limit ?? (reason === "done" ? undefined : error?.code);
  return [
    visibleLine(name),
    visibleLine(why === undefined ? reason : `${reason}: ${why}`),
    visibleLine(model ?? NONE),
    String(exit ?? NONE),
    usage ? moneyText(usage) : NONE,
    usage ? formatTokens(usage.input + usage.output) : NONE,
    minutes?.toFixed(1) ?? NONE,
    String(files?.length ?? NONE),
    String(failedCommands(result)),
  ];
}

const NONE = "–";

const moneyText = (usage: Usage): string => costText(usage) ?? (isCostUnknown(usage) ? NONE : formatCost(0));

function textTable(rows: readonly Row[], sums: Totals): string {
  const lines = rows.map(row => (row.result ? cells(row.name, row.result) : [visibleLine(row.name)]));
  const table = [titles(), ...lines];
  const widths = titles().map((_, at) => Math.max(...table.map(line => columnsOf(line[at] ?? ""))));
  const padded = (text: string, at: number) => {
    const blank = " ".repeat((widths[at] ?? 0) - columnsOf(text));
    return at < TEXTS ? text + blank : blank + text;
  };
  const printed = table.map((line, at) => {
    const wrong = rows[at - 1]?.wrong;
    const said = wrong === undefined ? [] : [`! ${visibleLine(wrong)}`];
    return [...line.map(padded), ...said].join("  ").trimEnd();
  });
  return `${printed.join("\n")}\n\n${totalsText(sums).join("\n")}\n`;
}

function markdownTable(rows: readonly Row[], sums: Totals): string {
  const line = (texts: readonly string[]) => `| ${texts.join(" | ")} |`;
  const body = rows.map(row => {
    const texts = row.result ? cells(row.name, row.result) : [row.name, `⚠ ${row.wrong}`];
    return line(titles().map((_, at) => escaped(texts[at] ?? "")));
  });
  const rule = titles().map((_, at) => (at < TEXTS ? "---" : "--:"));
  return `${[line(titles()), line(rule), ...body].join("\n")}\n\n${totalsText(sums).map(escaped).join("  \n")}\n`;
}

function totalsText({ runs, done, broken, reasons, usage, minutes, files, commandsFailed }: Totals): string[] {
  const counts = Object.entries(reasons).map(([reason, count]) => `${reason} ${count}`);
  if (broken > 0) counts.push(t("not to be read {0}", broken));
  const [tokens, time] = [formatTokens(usage.input + usage.output), minutes.toFixed(1)];
  return [
    t("{0} of {1} done ({2})", done, runs, inARow(counts)),
    t(
      "{0}, {1} tokens, {2} min, {3} files, {4} commands failed",
      moneyText(usage),
      tokens,
      time,
      files,
      commandsFailed,
    ),
  ];
}

/** How many columns a terminal takes for it: letters of East Asia and their punctuation take two. */
const columnsOf = (text: string): number => text.replace(WIDE, "##").length;
const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/gu;
