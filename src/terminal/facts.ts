/** `strata verify --facts`: what people said, and what of it stands in the newest request. Reads only. */
import type { Hash, SessionStorage } from "../core/ports";
import { oneLine } from "../core/text/format";
import { type Fact, type FactKind, type FactsReport, factKinds, factsReport } from "../core/verify/facts";
import { count } from "../shared/format";
import type { Streams } from "./eventPrinter";
import { EXIT, jsonLine } from "./output";
import { withFiles } from "./sessions";

/** Rejects with StorageError and the errors of opening a log. */
export function printFacts(
  storage: SessionStorage,
  hash: Hash,
  { session, json }: { session: string; json: boolean },
  { out }: Streams,
): Promise<number> {
  return withFiles(storage, session, async files => {
    const report = await factsReport(files, hash);
    out(json ? jsonLine(report) : factsText(report));
    return EXIT.done;
  });
}

const nouns: Record<FactKind, string> = {
  message: "message",
  steering: "word while a turn ran",
  answer: "answer",
  denial: "denial",
  remark: "remark on a plan",
};
const nounsOfMany: Partial<Record<FactKind, string>> = {
  steering: "words while a turn ran",
  remark: "remarks on plans",
};

function factsText({ request, facts, notes }: FactsReport): string {
  if (request === undefined) return "Nothing was sent yet.\n";
  const whole = facts.filter(({ stands }) => stands === "whole").length;
  const lines = [
    `Of ${count(facts.length, "thing")} that you said, ${whole} ${whole === 1 ? "stands" : "stand"} word for word in request ${request}, the newest.`,
    ...factKinds.flatMap(kind => kindLine(kind, facts)),
    ...notes.map(note => `· ${note}`),
    ...facts.map(factLine),
  ];
  return `${lines.join("\n")}\n`;
}

function kindLine(kind: FactKind, facts: readonly Fact[]): string[] {
  const own = facts.filter(fact => fact.kind === kind);
  if (own.length === 0) return [];
  const whole = own.filter(({ stands }) => stands === "whole").length;
  return [`· ${count(own.length, nouns[kind], nounsOfMany[kind])}, ${whole} whole`];
}

const marks: Record<Fact["stands"], string> = { whole: "+", part: "~", no: "-" };
/** of a line */
const CHARACTERS = 160;

function factLine({ kind, turn, text, stands, missing = [], since }: Fact): string {
  const gone = since && ` (since compaction ${since.number}, ${new Date(since.ts).toISOString()})`;
  const line = `${marks[stands]} turn ${turn}, ${nouns[kind]}: ${oneLine(text, CHARACTERS)}${gone ?? ""}`;
  const rest = stands === "part" ? missing.map(each => `\n    missing: ${oneLine(each, CHARACTERS)}`) : [];
  return `${line}${rest.join("")}`;
}
