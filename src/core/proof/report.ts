/** What `strata verify` proved of a session, and which instructions stood in a request, for people. */
import type { PieceKind } from "../../shared/contextProtocol";
import { defined } from "../../shared/defined";
import { asSentence, dateTimeText, inARow } from "../../shared/format";
import { plural, t } from "../../shared/l10n";
import type { Defect } from "../context/requestChain";
import { oneLine } from "../ground/text/format";
import type { Report, ReportLine, ReportSection } from "../ground/text/report";
import { sourceRules, sourceSkill } from "../ground/text/sources";
import { type InView, isOwn, type UnsentRules, type ViewedRequest, type ViewPlace, type WhyNot } from "./inView";
import type { VerifyReport } from "./verify";

/** More of them say nothing new to a person; `--json` has all. */
const MAX_DEFECTS = 20;

const labelled = (label: string | false | undefined): ReportLine[] => (label ? [{ label }] : []);

export function proofReport(verified: VerifyReport): Report {
  const { requests, proven, tokens, breaks, observations, archives, defects, notes } = verified;
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

export function defectLine({ request, requestId, segment, source, expected, found, text }: Defect): ReportLine {
  const place = [
    request === undefined ? requestId : t("request {0}", request),
    segment !== undefined && t("segment {0}", segment),
    source,
  ];
  const detail = expected && t("expected {0}, found {1}", expected, found ?? t("nothing"));
  return { label: `${place.filter(Boolean).join(", ")}: ${text}`, ...defined({ detail }) };
}

/** of a line of what was in view */
const CHARACTERS = 160;

/** @param sentence absent: nothing was looked for */
export function inViewReport(view: InView, sentence?: string): Report {
  const { request, places, said = [], isUnproven } = view;
  const sections: ReportSection[] = [
    sentence === undefined
      ? { title: t("Instructions in {0}", requestWords(request)), lines: [...places.map(placeLine), ...noRules(view)] }
      : {
          title: verdicts[view.form](view),
          from: requestWords(request),
          text: oneLine(sentence, 300),
          lines: lookedLines(view),
        },
    { title: t("Not sent"), lines: unsaid(view, sentence).flatMap(leftLine) },
    {
      title: t("What you said (+ whole, ~ in part, - not at all)"),
      lines: said.flatMap(({ turn, text, stands }) =>
        labelled(t("{0} turn {1}: {2}", marks[stands], turn, oneLine(text, CHARACTERS))),
      ),
    },
  ];
  return {
    title: t("Which Instructions Were in View"),
    ...(isUnproven && { lead: t("Not all of this session can be proven; strata verify says why.") }),
    sections: sections.filter(({ lines }, at) => at === 0 || lines.length > 0),
  };
}

/** Where it was looked for in vain, it may be in these; one that is why is named already. */
const unsaid = ({ form, left, why }: InView, sentence?: string): UnsentRules[] =>
  sentence === undefined ? left : form === "none" ? left.filter(({ source }) => source !== why?.source) : [];

const marks = { whole: "+", part: "~", no: "-" };

const verdicts: Record<InView["form"], (view: InView) => string> = {
  whole: ({ places }) => (places.some(isOwn) ? t("Yes, the model saw it, word for word.") : asData()),
  cut: () => t("No, it was cut."),
  folded: () => t("No, what had it was shortened."),
  handle: () => t("No, the model had only a handle that leads to it."),
  none: ({ places }) => (places.length > 0 ? asData() : t("No, the model did not see it.")),
};

const asData = () => t("The model saw it, but not as an instruction.");

function lookedLines(view: InView): ReportLine[] {
  const { form, places, last, since, first, why, handle } = view;
  const never = form === "none" && !last && !first;
  const facts = [
    last && t("Last in view: {0}.", requestWords(last)),
    since && t("First missing: {0}.", requestWords(since)),
    first && t("First in view: {0}.", requestWords(first)),
    why && t("Why: {0}", whys[why.kind](fileOf(why.source), why)),
    handle && t("Recall opens it: {0}.", handle),
    never && t("No request of this session had these words, in this order, as an instruction."),
  ];
  return [...places.map(placeLine), ...facts.flatMap(labelled), ...(never ? noRules(view) : [])];
}

const noRules = ({ hasNoRules }: InView): ReportLine[] =>
  labelled(hasNoRules && t("This request had no rules file of the workspace: they are read only where it is trusted."));

const requestWords = ({ number, turn, step, ts }: ViewedRequest): string =>
  t("request {0}, turn {1}, step {2}, {3}", number, turn, step, dateTimeText(ts));

function placeLine({ kind, name, segment, layer, tokens, line, source }: ViewPlace): ReportLine {
  const where =
    line === undefined
      ? t("segment {0}, layer {1}", segment, layer)
      : t("line {0} of segment {1}, layer {2}", line, segment, layer);
  const detail = inARow([where, plural(tokens, "1 token", "{0} tokens")]);
  const shown = oneLine(name, CHARACTERS);
  return { label: labels[kind]?.(shown) ?? (shown || source), detail, from: source };
}

/** As the view of the context has them; of others the name says it. */
const labels: { readonly [Kind in PieceKind]?: (name: string) => string } = {
  ledger: () => t("Your words from earlier turns"),
  summary: () => t("Summary"),
  skills: () => t("Names of skills"),
  skill: name => t("Skill {0}", name),
  you: name => t("You: {0}", name),
  answer: name => t("Answer: {0}", name),
};

const fileOf = (source: string): string => sourceRules(source) ?? sourceSkill(source) ?? source;

const whys: Record<WhyNot["kind"], (file: string, why: { line?: number; text?: string | undefined }) => string> = {
  size: (file, { line }) =>
    `${t("{0} is too long: only its beginning is sent.", file)}${line ? ` ${t("These words begin in its line {0}.", line)}` : ""}`,
  same: (file, { text = "" }) => t("{0} says the same as {1}, which is sent.", file, fileOf(text)),
  withheld: (file, { text = "" }) => t("{0} was left out. {1}", file, asSentence(text)),
  import: (file, { text = "" }) => t("{0} is imported, and was not read. {1}", file, asSentence(text)),
  changed: file => t("{0} changed and no longer has these words.", file),
  gone: file => t("{0} was no longer sent: removed, moved, emptied, no longer imported, or not trusted.", file),
  ended: () => t("The plan ended."),
  compaction: () => t("A compaction took it."),
  folded: () => t("Older results are sent as one line."),
  short: () => t("Its turn ended: what older turns did is sent in short form."),
  break: () => t("You went to another place of the conversation, or its log was repaired."),
  later: file =>
    file.startsWith("message:")
      ? t("It was said only then.")
      : t("{0} was written, loaded, or reached by a read below its folder only then.", file),
};

const leftLine = ({ source, why, text }: UnsentRules): ReportLine[] => labelled(whys[why](fileOf(source), { text }));
