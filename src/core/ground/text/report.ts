/** What people are shown of something, made once: a terminal prints it, the editor shows it as a page. */
import { fenced } from "../../../shared/fences";
import { visibleLine, visibleText } from "../../../shared/shown";
import { codeSpan } from "./format";

/** Words of others, unescaped: printing makes them plain. */
interface ReportPart {
  /** where it comes from, or how it is */
  from?: string;
  detail?: string;
  warnings?: readonly string[];
  /** printed output, all lines */
  text?: string;
}

export interface ReportLine extends ReportPart {
  label: string;
}

export interface ReportSection extends ReportPart {
  title: string;
  lines: readonly ReportLine[];
}

export interface Report {
  title: string;
  /** Markdown of ours, before the sections; all that there is to say where there are none */
  lead?: string;
  sections: readonly ReportSection[];
}

/** Plain text, line by line: how far a line stands in says what it belongs to. */
export const reportLines = ({ lead = "", sections }: Report): string[] =>
  sections.length === 0
    ? [lead]
    : sections.flatMap(({ title, lines, ...part }) => [
        ...plainLines({ label: title, ...part }),
        ...lines.flatMap(plainLines).map(standingIn),
      ]);

const standingIn = (line: string) => `  ${line}`;

function plainLines({ label, from, detail, warnings = [], text }: ReportLine): string[] {
  const below = [
    ...(detail ? [visibleLine(detail)] : []),
    ...warnings.map(warning => `! ${visibleLine(warning)}`),
    ...(text ? visibleText(text).split("\n") : []),
  ];
  return [`${visibleLine(label)}${from === undefined ? "" : `  (${visibleLine(from)})`}`, ...below.map(standingIn)];
}

/** A page in Markdown, with its name. */
export const reportPage = ({ title, lead = "", sections }: Report): [name: string, text: string] => [
  `${title}.md`,
  [`# ${title}`, lead, ...sections.flatMap(sectionBlocks)].filter(block => block !== "").join("\n\n"),
];

const sectionBlocks = ({ title, lines, ...part }: ReportSection): string[] => [
  `## ${escaped(title)}`,
  ...partBlocks([], part),
  ...lines.flatMap(({ label, ...line }) => partBlocks([`**${escaped(label)}**`], line)),
];

function partBlocks(head: string[], { from, detail = "", warnings = [], text }: ReportPart): string[] {
  const words = [detail, ...warnings.map(warning => `⚠ ${warning}`)].filter(Boolean).map(escaped);
  const place = from === undefined ? [] : [codeSpan(visibleLine(from))];
  const printed = text === undefined ? "" : fenced(visibleText(text), "text");
  return [[...head, ...words, ...place].join("  \n"), printed];
}

/** As it stands: nothing in it is a link, a picture, a tag or an emphasis, and no address becomes a link by itself. */
export const escaped = (text: string): string =>
  visibleLine(text)
    .trim()
    .replace(/[\\`*_{}[\]()<>#+\-!|~&.:@=$^]/g, mark => `&#${mark.charCodeAt(0)};`);
