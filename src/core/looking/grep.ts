/** Grep: file contents by regular expression, with the engine's own words where it refuses one. */
import * as z from "zod";
import description from "../../../prompts/tools/grep.md";
import { defined, remembered } from "../../shared/defined";
import type { FileRef, GrepLine, GrepQuery, TextWriter } from "../ground/ports";
import { counted } from "../ground/text/format";
import { number, pick } from "../ground/text/json";
import { type FindPorts, meantGlob, protectionFilter, resolvePlaces, statPlace } from "../tool/resolvePlaces";
import { firstEntries, type ResultForms } from "../tool/resultForms";
import { defineTool, lookingCall, type RunContext, success, type ToolOutcome } from "../tool/tool";
import { GrepReport } from "./grepReport";

const KEPT_MATCHES = 5;

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
type GrepInput = z.infer<typeof input>;

interface GrepPorts extends FindPorts {
  blobs(): TextWriter;
}

export const grepTool = (ports: GrepPorts) =>
  defineTool({
    name: "Grep",
    description,
    input,
    effect: "read",
    forms,
    async prepare(asked) {
      const places = await resolvePlaces(ports, asked.path);
      const title = `Search for ${asked.pattern}`;
      return lookingCall("Grep", { title, targets: places }, run => grep(ports, places, asked, run));
    },
  });

const forms: ResultForms = {
  kept(facts, { handle }) {
    const one = facts.mode === undefined ? "hit" : "file";
    return {
      ...pick(facts, "pattern", "hits", "files"),
      ...firstEntries(facts, KEPT_MATCHES, { listed: number(facts, `${one}s`), one, handle }),
    };
  },
  folded: facts => `${counted(number(facts, "hits"), "hit")} in ${counted(number(facts, "files"), "file")}`,
};

async function grep(ports: GrepPorts, places: FileRef[], asked: GrepInput, run: RunContext): Promise<ToolOutcome> {
  const limit = asked.head_limit ?? Number.POSITIVE_INFINITY;
  const report = new GrepReport(asked.output_mode ?? "content", limit, ports.blobs, run.redact);
  try {
    await searchPlaces(ports, places, asked, report, run);
    return await performed(report, places, asked);
  } finally {
    await report.end();
  }
}

/** Searches place after place, until the report has enough; protected files below a folder are left out. */
async function searchPlaces(
  ports: FindPorts,
  places: readonly FileRef[],
  asked: GrepInput,
  report: GrepReport,
  run: RunContext,
): Promise<void> {
  for (const place of places) {
    const stat = await statPlace(ports, place, run);
    const shows = stat.type === "directory" ? shownBelow(place, run) : () => true;
    const glob = asked.glob === undefined ? undefined : await meantGlob(ports, place, asked.glob);
    await ports.search.grep(toGrepQuery(place, asked, glob), line => !shows(line) || report.add(line), run.signal);
    run.signal.throwIfAborted();
    if (report.ended) break;
  }
}

/**
 * Which files below a folder are shown, by the paths of their hits. Of those that are not nothing is said: that one has a hit
 * would tell its content, pattern by pattern.
 */
function shownBelow(place: FileRef, run: RunContext): (line: GrepLine) => boolean {
  const shows = protectionFilter(place, run);
  const isShown = remembered((path: string) => shows(refBelow(place, path)));
  return ({ path }) => isShown(path);
}

/** A file that a search found below a folder: no link led to it. */
function refBelow(place: FileRef, path: string): FileRef {
  const isRoot = place.relative === ".";
  const below = path.slice(isRoot ? place.path.length - 1 : place.path.length).replace(/^\/+/, "");
  const join = (folder: string) => `${folder.replace(/\/$/, "")}/${below}`;
  const relative = isRoot ? below : join(place.relative);
  return { uri: join(place.uri), absolute: join(place.absolute), path, relative, inside: place.inside };
}

const toGrepQuery = (ref: FileRef, asked: GrepInput, glob: string | undefined): GrepQuery => ({
  pattern: asked.pattern,
  ref,
  ...defined({ glob, type: asked.type }),
  mode: asked.output_mode ?? "content",
  before: asked["-B"] ?? asked["-C"] ?? 0,
  after: asked["-A"] ?? asked["-C"] ?? 0,
  ignoreCase: asked["-i"] ?? false,
  multiline: asked.multiline ?? false,
});

async function performed(report: GrepReport, places: readonly FileRef[], asked: GrepInput) {
  const where = places.map(place => place.path).join(", ");
  const narrowed = asked.glob !== undefined || asked.type !== undefined ? " Try it without glob and type." : "";
  const none = `Nothing in ${where} matches ${asked.pattern}. Ignored files were not searched, protected ones (.env, keys) only where path names them.${narrowed}`;
  return success({
    ...(await report.outcome(none)),
    data: {
      pattern: asked.pattern,
      path: where,
      hits: report.hits,
      files: report.files,
      first: report.firstMatches(KEPT_MATCHES),
      ...defined({
        mode: asked.output_mode && asked.output_mode !== "content" ? asked.output_mode : undefined,
        truncated: report.ended || !report.complete ? true : undefined,
      }),
    },
    digest: `Grep ${JSON.stringify(asked.pattern)} ${report.counts()}`,
  });
}
