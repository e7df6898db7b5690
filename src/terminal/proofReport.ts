/** What `strata verify` proved of a session, and what of a person's words stands in its newest request, for people. */

import type { Defect } from "../core/context/requestChain";
import type { Report, ReportLine } from "../core/ground/text/report";
import type { VerifyReport } from "../core/proof/verify";
import { defined } from "../shared/defined";
import { inARow } from "../shared/format";
import { plural, t } from "../shared/l10n";

/** More of them say nothing new to a person; `--json` has all. */
const MAX_DEFECTS = 20;

const labelled = (label: string | false | undefined): ReportLine[] => (label ? [{ label }] : []);

export function proofReport(verified: VerifyReport): Report {
  const { requests, proven, tokens, breaks, observations, archives, agents, defects, notes } = verified;
  const percent = tokens.sent === 0 ? 0 : Math.round((100 * tokens.shared) / tokens.sent);
  const causes = Object.entries(breaks).map(([cause, times]) => `${cause} ${times}`);
  const facts = [
    plural(requests, "1 request, {1} proven", "{0} requests, {1} proven", proven),
    plural(
      tokens.sent,
      "1 token sent (estimate), {1} % of them shared with the request before",
      "{0} tokens sent (estimate), {1} % of them shared with the request before",
      percent,
    ),
    causes.length === 0 ? t("prefix breaks: none") : t("prefix breaks: {0}", inARow(causes)),
    plural(observations, "1 observation as recorded", "{0} observations as recorded"),
    agents > 0 && plural(agents, "with 1 agent that worked for it", "with {0} agents that worked for it"),
    archives > 0 && plural(archives, "1 archive as written", "{0} archives as written"),
    ...notes,
  ];
  const isSound = defects.length === 0;
  return {
    title: t("Verification"),
    sections: [
      {
        title: isSound
          ? t("Everything is there as it was sent.")
          : plural(defects.length, "1 thing not as it should be.", "{0} things not as they should be."),
        lines: facts.flatMap(labelled),
      },
      ...(isSound ? [] : [{ title: t("What is not as it should be"), lines: defectLines(verified) }]),
    ],
  };
}

function defectLines({ defects, requests, proven }: VerifyReport): ReportLine[] {
  const more = defects.length - MAX_DEFECTS;
  // Where one thing alone is wrong, every request that is not proven has it, or builds on it.
  const others = defects.length === 1 ? requests - proven - 1 : 0;
  const follows = plural(
    others,
    "One more request is not proven: that follows from this.",
    "{0} more requests are not proven: that follows from this.",
  );
  const rest = [others > 0 && follows, more > 0 && t("… and {0} more; --json has all of them.", more)];
  return [...defects.slice(0, MAX_DEFECTS).map(defectLine), ...rest.flatMap(labelled)];
}

export function defectLine({
  session,
  request,
  requestId,
  segment,
  source,
  expected,
  found,
  text,
}: Defect): ReportLine {
  const place = [
    session && t("agent {0}", session),
    request === undefined ? requestId : t("request {0}", request),
    segment !== undefined && t("segment {0}", segment),
    source,
  ];
  const detail = expected && t("expected {0}, found {1}", expected, found ?? t("nothing"));
  return { label: `${place.filter(Boolean).join(", ")}: ${text}`, ...defined({ detail }) };
}
