/** A session for people who have no Strata: its conversation as Markdown, or as one HTML page that needs nothing beside it. */

import { fenceAfter, fenced } from "../../shared/fences";
import { locale, t } from "../../shared/l10n";
import type { Redact } from "../../shared/redacted";
import { visibleText } from "../../shared/shown";
import type { SessionTextReader } from "../ground/ports";
import { oneLine } from "../ground/text/format";
import { onBranch } from "../log/branches";
import { readWholeLog } from "../log/readLog";
import { escapedHtml } from "./escapedHtml";
import { partsOf, type ReadablePart } from "./readableParts";

interface ReadableSession {
  title: string;
  about: string;
  parts: ReadablePart[];
}

interface ReadableDeps {
  /** the last thing that is done to a text before it is laid out */
  redact: Redact;
  title: string;
  now(): number;
}

/** Rejects with StorageError, NewerLogError, NotALogError. */
export async function exportMarkdown(files: SessionTextReader, deps: ReadableDeps): Promise<string> {
  const { title, about, parts } = await readSession(files, deps);
  const blocks = parts.map(part => {
    if (part.kind === "call") return `**${escapedMarkdown(part.title)}**${part.text && `\n\n${fenced(part.text)}`}`;
    if (part.kind === "note") return `*${escapedMarkdown(part.title)}*${part.text && `\n\n${closed(part.text)}`}`;
    return `## ${part.title}\n\n${closed(part.text)}`;
  });
  return `${[`# ${escapedMarkdown(title)}`, about, ...blocks].join("\n\n")}\n`;
}

/** The same as a page: no script, nothing from elsewhere, every text escaped. */
export async function exportHtml(files: SessionTextReader, deps: ReadableDeps): Promise<string> {
  // Nothing else in the host reads Markdown.
  const { markdownHtml } = await import("./markdownHtml");
  const { title, about, parts } = await readSession(files, deps);
  const blocks = parts.map(part => {
    const heading = escapedHtml(part.title);
    if (part.kind === "note") return `<p class="note" dir="auto">${heading}</p>${markdownHtml(part.text)}`;
    if (part.kind === "call" && part.text === "") return `<p class="call" dir="auto">${heading}</p>`;
    if (part.kind === "call")
      return `<details class="call"><summary dir="auto">${heading}</summary><pre>${escapedHtml(part.text)}</pre></details>`;
    const html = part.kind === "person" ? htmlOfWords(part.text) : markdownHtml(part.text);
    return `<section class="${part.kind}"><h2>${heading}</h2>${html}</section>`;
  });
  return `<!DOCTYPE html>
<html lang="${escapedHtml(locale())}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedHtml(title)}</title>
<style>${STYLES}</style>
</head>
<body>
<main>
<h1 dir="auto">${escapedHtml(title)}</h1>
<p class="note">${escapedHtml(about)}</p>
${blocks.join("\n")}
</main>
</body>
</html>
`;
}

const STYLES = `:root { color-scheme: light dark; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem; }
h2 { margin: 1.5rem 0 .25rem; font-size: 1rem; }
h3, h4, h5, h6 { margin: 1rem 0 .25rem; font-size: 1rem; }
p { margin: .5rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
pre { padding: .5rem; overflow: auto; border: 1px solid #8886; font: 13px/1.45 ui-monospace, monospace; }
.person { padding: 0 .75rem; border-inline-start: 3px solid #8888; }
.note, .call { opacity: .8; font-size: .9rem; }
blockquote { margin: .5rem 0; padding: 0 .75rem; border-inline-start: 1px solid #8888; }
li { overflow-wrap: anywhere; }
table { display: block; overflow: auto; border-collapse: collapse; }
th, td { padding: .25rem .5rem; border: 1px solid #8886; text-align: start; vertical-align: top; }
code { font: .9em ui-monospace, monospace; }
summary { cursor: pointer; overflow-wrap: anywhere; }`;

async function readSession(files: SessionTextReader, { redact, title, now }: ReadableDeps): Promise<ReadableSession> {
  const { records, missing } = await readWholeLog(files);
  const clean = (text: string): string => redact(visibleText(text));
  const parts = partsOf(onBranch(records)).map(part => ({
    ...part,
    title: clean(part.title),
    text: clean(part.text),
  }));
  const lost = missing.length > 0 ? ` ${t("Some earlier messages are missing: their files cannot be read.")}` : "";
  const date = new Intl.DateTimeFormat(locale(), { dateStyle: "long" }).format(now());
  return {
    title: clean(title || t("Untitled session")),
    about: `${t("Exported from Strata on {0}.", date)}${lost}`,
    parts,
  };
}

/** A block of code that nobody ended would take what comes after it. */
function closed(text: string): string {
  let open: string | undefined;
  for (const line of text.split("\n")) open = fenceAfter(open, line);
  return open === undefined ? text : `${text}\n${open}`;
}

/** A person's words: blocks of code as such, all else as it was written. */
function htmlOfWords(text: string): string {
  const html: string[] = [];
  let [open, lines]: [string | undefined, string[]] = [undefined, []];
  const flush = (tag: "p" | "pre") => {
    const body = lines.join("\n");
    if (body.trim() !== "") html.push(`<${tag} dir="auto">${escapedHtml(tag === "p" ? body.trim() : body)}</${tag}>`);
    lines = [];
  };
  for (const line of text.split("\n")) {
    const next = fenceAfter(open, line);
    if (next === open) lines.push(line);
    else flush(open === undefined ? "p" : "pre");
    open = next;
  }
  flush(open === undefined ? "p" : "pre");
  return html.join("");
}

/** In one line of a heading. */
const escapedMarkdown = (text: string): string => oneLine(text, 300).replace(/[\\`*_[\]<>#]/g, "\\$&");
