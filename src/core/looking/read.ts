/** Read: the editor's text where the document is open, else the file. */
import * as z from "zod";
import description from "../../../prompts/tools/read.md";
import { defined } from "../../shared/defined";
import { PICTURE_TYPES, pictureFacts } from "../../shared/pictures";
import type { Redact } from "../../shared/redacted";
import { shellQuoted } from "../../shared/shellQuoted";
import { splitUnits, type Units } from "../changes/edits/notebook";
import { type BinaryFile, type FileRef, type TextFile, ToolError } from "../ground/ports";
import { estimateTokens } from "../ground/text/estimate";
import { clipEnd, counted, numberedLine, size } from "../ground/text/format";
import { number, pick, text } from "../ground/text/json";
import { KEY_LINE, privateKeyLines } from "../ground/text/privateKeys";
import type { StandingRead } from "../log/conversation";
import { readInPart } from "../log/stamps";
import { type FindPorts, statFile } from "../tool/resolvePlaces";
import { moreNote, type ResultForms, rangeText, stampText } from "../tool/resultForms";
import { defineTool, lookingCall, type RunContext, success, type ToolOutcome } from "../tool/tool";

const MAX_BYTES = 20 * 1024 * 1024;
const MAX_LINES = 2_000;
const MAX_TOKENS = 12_000;
const KEPT_LINES = 500;

const PICTURE_NAME = /\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic|heif|avif|ico|psd)$/i;

const input = z.object({
  file_path: z.string().min(1),
  offset: z.int().min(0).optional().describe("First line, from 1"),
  limit: z.int().min(1).optional(),
});
type ReadToolInput = z.infer<typeof input>;

export const readTool = (ports: FindPorts) =>
  defineTool({
    name: "Read",
    description,
    input,
    effect: "read",
    forms,
    async prepare(asked) {
      const ref = await ports.files.resolve(asked.file_path);
      return lookingCall("Read", { title: `Read ${ref.path}`, targets: [ref] }, run => read(ports, ref, asked, run));
    },
  });

const forms: ResultForms = {
  kept(facts, { handle }) {
    const lines = text(facts, "lines");
    if (lines === "") return undefined;
    return {
      ...pick(facts, "path", "unit", "first", "last", "total"),
      stamp: stampText(facts),
      lines,
      left: moreNote(number(facts, "count") - lines.split("\n").length, "line", handle),
    };
  },
  folded: facts => rangeText(facts) && `${rangeText(facts)} of ${number(facts, "total")}`,
};

async function read(ports: FindPorts, ref: FileRef, asked: ReadToolInput, run: RunContext): Promise<ToolOutcome> {
  const stat = await statFile(ports, ref, run);
  if (stat.size > MAX_BYTES) throw tooLarge(ref, stat.size);
  const file = await ports.files.read(ref, MAX_BYTES);
  run.signal.throwIfAborted();
  const performed = file.kind === "binary" ? readBinary(ref, file) : readText(ref, file, asked, run);
  await run.bringRules(ref);
  return performed;
}

function tooLarge(ref: FileRef, bytes: number): ToolError {
  const quoted = shellQuoted(ref.path);
  const next = PICTURE_NAME.test(ref.path)
    ? "Make a smaller copy of it with Bash (magick, ffmpeg or sips, where there is one), and read that."
    : `Search it with Grep, or show a part of it with Bash: sed -n '1,200p' ${quoted}`;
  return new ToolError(
    "TOO_LARGE",
    `${ref.path} has ${size(bytes)}; Read takes files of up to ${size(MAX_BYTES)}. ${next}`,
    { path: ref.path, bytes },
  );
}

function readBinary(ref: FileRef, file: BinaryFile): ToolOutcome {
  const type = file.mediaType ?? "unknown type";
  const facts = { path: ref.path, bytes: file.size, type };
  const stamps = [{ uri: ref.uri, stamp: file.stamp }];
  if (file.mediaType && file.bytes && PICTURE_TYPES.includes(file.mediaType)) {
    if (!pictureFacts(file.bytes))
      throw new ToolError(
        "BINARY",
        `${ref.path} (${type}, ${size(file.size)}) is cut off or broken, so it cannot be shown.`,
        facts,
      );
    const text = `Image attached: ${ref.path} (${type}, ${size(file.size)}). The picture follows as a message.`;
    const images = [{ mediaType: file.mediaType, bytes: file.bytes, path: ref.path }];
    return success({ data: facts, text, digest: `Read ${ref.path} (image, ${size(file.size)})`, stamps, images });
  }
  const isPicture = file.mediaType?.startsWith("image/") || PICTURE_NAME.test(ref.path);
  const next = isPicture
    ? "Only PNG, JPEG, GIF and WebP images can be shown: make a copy of it as PNG with Bash (magick, ffmpeg, heif-convert or sips, where there is one), and read that."
    : "Read shows text and images only; a command in Bash (file, strings, unzip -l) may tell more.";
  throw new ToolError("BINARY", `${ref.path} is a binary file (${type}, ${size(file.size)}). ${next}`, facts);
}

/** What was asked for of a text, as far as it fits. */
interface ReadPart {
  unit: Units["unit"];
  first: number;
  last: number;
  /** how many there are in the file */
  total: number;
  /** as they are shown */
  lines: string[];
  /** those that are not shown whole, from 1 */
  cut: number[];
  tokens: number;
}

function readText(ref: FileRef, file: TextFile, asked: ReadToolInput, run: RunContext): ToolOutcome {
  const part = selectPart(ref, file, asked, run);
  const { unit, first, last, total } = part;
  const known = run.stampOf(ref.uri);
  const { mtime, sha256, dirty, version } = file.stamp;
  const modified = known !== undefined && known.sha256 !== sha256;
  const data = {
    path: ref.path,
    unit,
    first,
    last,
    total,
    from: file.from,
    stamp: { mtime, sha256, dirty, version: version ?? null },
    ...(file.reading && { encoding: file.encoding, reading: file.reading }),
    ...defined({ truncated: last < total || undefined }),
    ...(modified && { modifiedExternally: true, note: `Note: ${ref.path} was modified externally.` }),
  };
  const stamps = [{ uri: ref.uri, stamp: readInPart(known, file.stamp, part) }];
  const notes = [
    modified && `Note: ${ref.path} was modified externally.`,
    dirty && (ref.uri.startsWith("untitled:") ? NEVER_SAVED : DIFFERS),
    readingNote(ref, file),
    total === 0 && (unit === "cell" ? `${ref.path} is a notebook without cells.` : `${ref.path} is empty.`),
  ].filter(note => note !== false);
  const digest = `Read ${ref.path} ${total === 0 ? "(empty)" : `${first}–${last}`}${unit === "cell" ? " (cells)" : ""}`;
  // The newest earlier result that has all these lines.
  const restates = run
    .standing(ref.uri)
    .findLast(read => read.sha256 === sha256 && read.first <= first && read.last >= last);
  if (restates && !modified && total > 0) {
    const note = [...notes, unchangedNote(ref, part, restates)].join(" ");
    return success({ data, text: note, digest: `${digest} · unchanged`, stamps, restates });
  }
  // A cell is more than one.
  const lines = part.lines.join("\n").split("\n");
  const footer = last < total || first > 1 ? [rangeNote(part)] : [];
  return success({
    // One text: it is searched for secrets as a whole, and mostly is the result's.
    data: { ...data, count: lines.length, lines: lines.slice(0, KEPT_LINES).join("\n") },
    text: [...notes, ...part.lines, ...footer].join("\n"),
    digest,
    stamps,
    ...defined({ reads: total > 0 ? [{ uri: ref.uri, sha256, first, last }] : undefined }),
  });
}

/** false: everybody reads the file so */
function readingNote({ path }: FileRef, { reading, encoding }: TextFile): string | false {
  switch (reading) {
    case undefined:
    case "set":
      return false;
    case "guessed":
      return `Note: ${path} is not UTF-8. It is read as ${encoding}, which is a guess from its bytes, and edits are written in that. If the text looks wrong, the setting files.encoding names the right one.`;
    case "unknown":
      return `Note: ${path} has bytes that are not UTF-8, shown as \uFFFD. Lines with them cannot be edited. The setting files.encoding names its encoding, where it has another one.`;
  }
}

const DIFFERS = "This is the editor's text with unsaved changes; the file on disk differs.";
const NEVER_SAVED = "This document was never saved: it stands in the editor only.";

function selectPart(ref: FileRef, file: TextFile, asked: ReadToolInput, run: RunContext): ReadPart {
  const units = splitUnits(ref.path, file.text, run.redact);
  const { unit, texts } = units;
  const total = texts.length;
  const first = Math.max(1, asked.offset ?? 1);
  if (first > 1 && first > total) {
    throw new ToolError(
      "INVALID_INPUT",
      `${ref.path} has ${counted(total, unit)}: offset ${first} is past the end. Use an offset from 1 to ${Math.max(1, total)}.`,
      { path: ref.path, lines: total },
    );
  }
  const shown = unit === "cell" ? units : withoutKeyRest(units, file.text, first);
  return { unit, first, total, ...takeLines(shown, first, asked.limit ?? MAX_LINES, run.redact) };
}

/** One line instead of a text that the request already has. */
function unchangedNote(ref: FileRef, { unit, first, last, total }: ReadPart, read: StandingRead): string {
  const what = first === last ? `${unit} ${first} is` : `${unit}s ${first}–${last} are`;
  const goOn = last < total ? ` The file has ${total}; go on with offset ${last + 1}.` : "";
  return `${ref.path} ${what} unchanged since your Read in step ${read.step} of this turn; the text stands there.${goOn}`;
}

/** From `first` on, whole: as many as were asked for and as fit into the token limit, one at least. */
function takeLines(units: Units, first: number, limit: number, redact: Redact) {
  const { unit, texts, most, isCut } = units;
  const lines: string[] = [];
  const cut: number[] = [];
  let tokens = 0;
  const end = Math.min(texts.length, first - 1 + limit);
  for (let index = first - 1; index < end; index += 1) {
    const whole = texts[index] ?? "";
    // Of a secret that is cut in two, nothing is found any more.
    const text = whole.length > most ? clipEnd(redact(whole), most) : whole;
    const shown = unit === "cell" ? text : numberedLine(index + 1, text);
    const more = estimateTokens(`${shown}\n`);
    if (lines.length > 0 && tokens + more > MAX_TOKENS) break;
    lines.push(shown);
    if (isCut(index)) cut.push(index + 1);
    tokens += more;
  }
  return { lines, cut, tokens, last: first - 1 + lines.length };
}

/** Where a part begins within a private key, nothing in the rest of that tells that it is one. */
function withoutKeyRest(lines: Units, text: string, first: number): Units {
  const keys = first > 1 ? privateKeyLines(text) : undefined;
  if (!keys?.has(first) || !keys.has(first - 1)) return lines;
  const texts = [...lines.texts];
  let line = first;
  for (; keys.has(line) && line <= texts.length; line += 1) texts[line - 1] = KEY_LINE;
  return { ...lines, texts, isCut: index => (index >= first - 1 && index < line - 1) || lines.isCut(index) };
}

function rangeNote({ unit, first, last, total }: ReadPart): string {
  const goOn = last < total ? ` Go on with offset ${last + 1}.` : "";
  return `(${unit === "cell" ? "Cells" : "Lines"} ${first}–${last} of ${total}.${goOn})`;
}
