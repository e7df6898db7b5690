/** Grep: file contents by regular expression, with the engine's own words where it refuses one. */
import { z } from "zod";
import description from "../../../prompts/tools/grep.md";
import type { BlobWriter, FileRef, GrepQuery, Search } from "../ports";
import { GrepReport, MAX_RAW } from "./grepReport";
import { type FindPorts, resolvePlaces, statOf } from "./locate";
import { RawCapture } from "./rawCapture";
import { success } from "./results";
import { defineTool, type Performed, type RunContext, type Tool } from "./tool";

const lines = z.int().min(0).optional();

const input = z.object({
  pattern: z.string().min(1),
  path: z.string().min(1).optional().describe("File or folder; default: the workspace"),
  glob: z.string().min(1).optional().describe('Such as "*.{ts,tsx}"'),
  type: z.string().min(1).optional().describe("ripgrep file type: js, py, rust"),
  output_mode: z.enum(["content", "files_with_matches", "count"]).optional().describe("Default: content"),
  "-A": lines,
  "-B": lines,
  "-C": lines,
  "-i": z.boolean().optional().describe("Ignore case"),
  multiline: z.boolean().optional().describe("Let . and the pattern span lines"),
  head_limit: z.int().min(1).optional().describe("At most this many lines or files"),
});
export type GrepInput = z.infer<typeof input>;

export interface GrepPorts extends FindPorts {
  search: Pick<Search, "glob" | "grep">;
  blobs(): BlobWriter;
}

export function grepTool(ports: GrepPorts): Tool<GrepInput> {
  return defineTool({
    name: "Grep",
    description: description.trim(),
    input,
    effect: "read",
    async prepare(asked) {
      const places = await resolvePlaces(ports, asked.path);
      return {
        targets: places,
        title: `Search for ${asked.pattern}`,
        detail: { type: "read", paths: places.map(place => place.path) },
        bindOf: JSON.stringify(["Grep", ...places.map(place => place.uri)]),
        perform: run => grep(ports, places, asked, run),
      };
    },
  });
}

async function grep(
  ports: GrepPorts,
  places: readonly FileRef[],
  asked: GrepInput,
  run: RunContext,
): Promise<Performed> {
  const raw = new RawCapture(ports.blobs, MAX_RAW);
  try {
    const report = new GrepReport(asked.output_mode ?? "content", asked.head_limit ?? Number.POSITIVE_INFINITY, raw);
    for (const place of places) {
      await statOf(ports, place, run);
      await ports.search.grep(queryOf(place, asked), report.add, run.signal);
      run.signal.throwIfAborted();
      if (report.ended) break;
    }
    report.flush();
    return await performed(report, raw, places, asked);
  } finally {
    await raw.discard();
  }
}

function queryOf(ref: FileRef, asked: GrepInput): GrepQuery {
  return {
    pattern: asked.pattern,
    ref,
    ...(asked.glob !== undefined && { glob: asked.glob }),
    ...(asked.type !== undefined && { type: asked.type }),
    mode: asked.output_mode ?? "content",
    before: asked["-B"] ?? asked["-C"] ?? 0,
    after: asked["-A"] ?? asked["-C"] ?? 0,
    ignoreCase: asked["-i"] ?? false,
    multiline: asked.multiline ?? false,
  };
}

async function performed(
  report: GrepReport,
  raw: RawCapture,
  places: readonly FileRef[],
  asked: GrepInput,
): Promise<Performed> {
  const blob = report.complete ? undefined : await raw.finish();
  const where = places.map(place => place.path).join(", ");
  const narrowed = asked.glob !== undefined || asked.type !== undefined ? " Try it without glob and type." : "";
  const text =
    report.files === 0
      ? `Nothing in ${where} matches ${asked.pattern}. Ignored files were not searched.${narrowed}`
      : report.text(blob);
  const failed = raw.failure === undefined ? "" : `\nThe complete output could not be stored: ${raw.failure}`;
  return {
    result: success({
      data: {
        pattern: asked.pattern,
        path: where,
        hits: report.hits,
        files: report.files,
        first: report.firstMatches(),
        ...((report.ended || !report.complete) && { truncated: true }),
      },
      text: text + failed,
      digest: `Grep ${JSON.stringify(asked.pattern)} ${report.counts()}`,
      stats: { hits: report.hits, files: report.files },
      partial: report.ended === "size",
    }),
    ...(blob && { raw: blob }),
  };
}
