/** What `strata verify` proved of a session, and what of a person's words stands in its newest request, for people. */

import { defined } from "../../shared/defined";
import { count } from "../../shared/format";
import { oneLine } from "../text/format";
import type { Report, ReportLine } from "../text/report";
import { type Fact, type FactKind, type FactsReport, factKinds } from "./facts";
import type { Defect } from "./requestChain";
import type { VerifyReport } from "./verify";

/** More of them say nothing new to a person; `--json` has all. */
const MAX_DEFECTS = 20;

const labelled = (label: string): ReportLine => ({ label });

export function proofReport(verified: VerifyReport): Report {
  const { requests, proven, tokens, breaks, observations, archives, bodies, defects, notes } = verified;
  const percent = tokens.sent === 0 ? 0 : Math.round((100 * tokens.shared) / tokens.sent);
  const causes = Object.entries(breaks).map(([cause, times]) => `${cause} ${times}`);
  const facts = [
    `${count(requests, "request")}, ${proven} proven`,
    `${count(tokens.sent, "token")} sent (estimate), ${percent} % of them shared with the request before`,
    `prefix breaks: ${causes.join(", ") || "none"}`,
    `${count(observations, "observation")} as recorded`,
    bodies !== undefined && `bodies made again, as they left: ${bodies} of ${requests}`,
    archives > 0 && `${count(archives, "archive")} as written`,
    ...notes,
  ];
  const isSound = defects.length === 0;
  return {
    title: "Verification",
    sections: [
      {
        title: isSound
          ? "Everything is there as it was sent."
          : `${count(defects.length, "thing")} not as it should be.`,
        lines: facts.flatMap(fact => (fact === false ? [] : [labelled(fact)])),
      },
      ...(isSound ? [] : [{ title: "What is not as it should be", lines: defectLines(verified) }]),
    ],
  };
}

function defectLines({ defects, requests, proven }: VerifyReport): ReportLine[] {
  const more = defects.length - MAX_DEFECTS;
  // Where one thing alone is wrong, every request that is not proven has it, or builds on it.
  const others = defects.length === 1 ? requests - proven - 1 : 0;
  const notProven = others === 1 ? "One more request is not proven" : `${others} more requests are not proven`;
  return [
    ...defects.slice(0, MAX_DEFECTS).map(defectLine),
    ...(others > 0 ? [labelled(`${notProven}: that follows from this.`)] : []),
    ...(more > 0 ? [labelled(`… and ${more} more; --json has all of them.`)] : []),
  ];
}

export function defectLine({ request, requestId, segment, source, expected, found, text }: Defect): ReportLine {
  const place = [
    request === undefined ? requestId : `request ${request}`,
    segment !== undefined && `segment ${segment}`,
    source,
  ];
  const detail = expected && `expected ${expected}, found ${found ?? "nothing"}`;
  return { label: `${place.filter(Boolean).join(", ")}: ${text}`, ...defined({ detail }) };
}

const nouns: Record<FactKind, readonly [one: string, many: string]> = {
  message: ["message", "messages"],
  steering: ["word while a turn ran", "words while a turn ran"],
  answer: ["answer", "answers"],
  denial: ["denial", "denials"],
  remark: ["remark on a plan", "remarks on plans"],
};

export function saidReport({ request, facts, notes }: FactsReport): Report {
  const title = "What You Said";
  if (request === undefined) return { title, lead: "Nothing was sent yet.", sections: [] };
  const wholeOf = (all: readonly Fact[]) => all.filter(({ stands }) => stands === "whole").length;
  const kinds = factKinds.flatMap(kind => {
    const own = facts.filter(fact => fact.kind === kind);
    return own.length === 0 ? [] : [`${count(own.length, ...nouns[kind])}, ${wholeOf(own)} whole`];
  });
  const whole = wholeOf(facts);
  return {
    title,
    sections: [
      {
        title: `Of ${count(facts.length, "thing")} that you said, ${whole} ${whole === 1 ? "stands" : "stand"} word for word in request ${request}, the newest.`,
        lines: [...kinds, ...notes].map(labelled),
      },
      ...(facts.length === 0 ? [] : [{ title: "+ whole, ~ in part, - not at all", lines: facts.map(factLine) }]),
    ],
  };
}

const marks: Record<Fact["stands"], string> = { whole: "+", part: "~", no: "-" };
/** of a line */
const CHARACTERS = 160;

function factLine({ kind, turn, text, stands, missing = [], since }: Fact): ReportLine {
  const from = since && `since compaction ${since.number}, ${new Date(since.ts).toISOString()}`;
  const rest = stands === "part" ? missing.map(each => `missing: ${oneLine(each, CHARACTERS)}`) : [];
  return {
    label: `${marks[stands]} turn ${turn}, ${nouns[kind][0]}: ${oneLine(text, CHARACTERS)}`,
    ...defined({ from }),
    text: rest.join("\n"),
  };
}
