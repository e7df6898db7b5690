/** Read: the editor's text where the document is open, else the file. */
import * as z from "zod";
import description from "../../../prompts/tools/read.md";
import type { Stamp } from "../../shared/toolResult";
import { estimateTokens } from "../context/estimate";
import type { BinaryFile, FileRef, Files, TextFile } from "../ports";
import { clipEnd, counted, numberedLine, size } from "./format";
import { splitLines } from "./lineEnds";
import { type FindPorts, statFile } from "./locate";
import { notebookCells } from "./notebook";
import { success } from "./results";
import { defineTool, type Performed, type RunContext, type Tool, ToolError } from "./tool";

const MAX_BYTES = 20 * 1024 * 1024;
const MAX_LINES = 2_000;
const MAX_LINE = 2_000;
const MAX_TOKENS = 12_000;
/** What models can see. */
const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const input = z.object({
  file_path: z.string().min(1),
  offset: z.int().min(0).optional().describe("First line, from 1"),
  limit: z.int().min(1).optional().describe("Number of lines"),
});
export type ReadInput = z.infer<typeof input>;

export interface ReadPorts extends FindPorts {
  files: FindPorts["files"] & Pick<Files, "read">;
}

export function readTool(ports: ReadPorts): Tool<ReadInput> {
  return defineTool({
    name: "Read",
    description: description.trim(),
    input,
    effect: "read",
    async prepare(asked) {
      const ref = await ports.files.resolve(asked.file_path);
      return {
        targets: [ref],
        title: `Read ${ref.path}`,
        detail: { type: "read", paths: [ref.path] },
        bindOf: JSON.stringify(["Read", ref.uri]),
        perform: run => read(ports, ref, asked, run),
      };
    },
  });
}

async function read(ports: ReadPorts, ref: FileRef, asked: ReadInput, run: RunContext): Promise<Performed> {
  const stat = await statFile(ports, ref, run);
  if (stat.size > MAX_BYTES) throw tooLarge(ref, stat.size);
  const file = await ports.files.read(ref, MAX_BYTES);
  run.signal.throwIfAborted();
  if (file.kind === "binary") return readBinary(ref, file);
  const cells = ref.path.toLowerCase().endsWith(".ipynb") ? notebookCells(file.text) : undefined;
  const units = cells ?? splitLines(file.text);
  return readText(ref, file, units, cells ? "cell" : "line", asked, run.stampOf(ref.uri));
}

function tooLarge(ref: FileRef, bytes: number): ToolError {
  const quoted = `'${ref.path.replaceAll("'", "'\\''")}'`;
  return new ToolError(
    "TOO_LARGE",
    `${ref.path} has ${size(bytes)}; Read takes files of up to ${size(MAX_BYTES)}. ` +
      `Search it with Grep, or show a part of it with Bash: sed -n '1,200p' ${quoted}`,
    { path: ref.path, bytes },
  );
}

function readBinary(ref: FileRef, file: BinaryFile): Performed {
  const type = file.mediaType ?? "unknown type";
  const facts = { path: ref.path, bytes: file.size, type };
  const stamps = [{ uri: ref.uri, stamp: file.stamp }];
  if (file.mediaType && file.bytes && IMAGE_TYPES.includes(file.mediaType)) {
    const text = `Image attached: ${ref.path} (${type}, ${size(file.size)}). The picture follows as a message.`;
    const images = [{ mediaType: file.mediaType, bytes: file.bytes, path: ref.path }];
    return {
      result: success({ data: facts, text, digest: `Read ${ref.path} (image, ${size(file.size)})` }),
      stamps,
      images,
    };
  }
  const next = file.mediaType?.startsWith("image/")
    ? "Only PNG, JPEG, GIF and WebP images of up to 5 MB can be shown."
    : "Read shows text and images only; a command in Bash (file, strings, unzip -l) may tell more.";
  throw new ToolError("BINARY", `${ref.path} is a binary file (${type}, ${size(file.size)}). ${next}`, facts);
}

type Unit = "line" | "cell";

function readText(
  ref: FileRef,
  file: TextFile,
  units: readonly string[],
  unit: Unit,
  asked: ReadInput,
  known: Stamp | undefined,
): Performed {
  const modified = known !== undefined && known.sha256 !== file.stamp.sha256;
  const first = Math.max(1, asked.offset ?? 1);
  if (first > 1 && first > units.length) {
    throw new ToolError(
      "INVALID_INPUT",
      `${ref.path} has ${counted(units.length, unit)}: offset ${first} is past the end. Use an offset from 1 to ${Math.max(1, units.length)}.`,
      { path: ref.path, lines: units.length },
    );
  }
  const part = take(units, first, asked.limit ?? MAX_LINES, unit);
  const notes = [
    modified && `Note: ${ref.path} was modified externally.`,
    file.stamp.dirty && "This is the editor's text with unsaved changes; the file on disk differs.",
    units.length === 0 && (unit === "cell" ? `${ref.path} is a notebook without cells.` : `${ref.path} is empty.`),
  ].filter(note => note !== false);
  const footer = part.last < units.length || first > 1 ? [rangeNote(first, part.last, units.length, unit)] : [];
  const range = units.length === 0 ? "(empty)" : `${first}–${part.last}`;
  const { mtime, sha256, dirty, version } = file.stamp;
  // A cell is more than one.
  const lines = part.lines.join("\n").split("\n");
  return {
    result: success({
      data: {
        path: ref.path,
        unit,
        first,
        last: part.last,
        total: units.length,
        from: file.from,
        stamp: { mtime, sha256, dirty, version: version ?? null },
        count: lines.length,
        lines: lines.slice(0, 500),
        ...(part.last < units.length && { truncated: true }),
        ...(modified && { modifiedExternally: true, note: `Note: ${ref.path} was modified externally.` }),
      },
      text: [...notes, ...part.lines, ...footer].join("\n"),
      digest: `Read ${ref.path} ${range}${unit === "cell" ? " (cells)" : ""}`,
      stats: { lines: part.lines.length, total: units.length, tokens: part.tokens },
    }),
    stamps: [{ uri: ref.uri, stamp: file.stamp }],
  };
}

/** From `first` on, whole: as many as were asked for and as fit into the token limit, one at least. */
function take(units: readonly string[], first: number, limit: number, unit: Unit) {
  const lines: string[] = [];
  let tokens = 0;
  const end = Math.min(units.length, first - 1 + limit);
  for (let index = first - 1; index < end; index += 1) {
    const text = units[index] ?? "";
    const shown = unit === "cell" ? clipEnd(text, MAX_TOKENS) : numberedLine(index + 1, clipEnd(text, MAX_LINE));
    const more = estimateTokens(`${shown}\n`);
    if (lines.length > 0 && tokens + more > MAX_TOKENS) break;
    lines.push(shown);
    tokens += more;
  }
  return { lines, tokens, last: first - 1 + lines.length };
}

function rangeNote(first: number, last: number, total: number, unit: Unit): string {
  const goOn = last < total ? ` Go on with offset ${last + 1}.` : "";
  return `(${unit === "cell" ? "Cells" : "Lines"} ${first}–${last} of ${total}.${goOn})`;
}
