/** Glob: files by path pattern, newest first. */
import * as z from "zod";
import description from "../../../prompts/tools/glob.md";
import { defined } from "../../shared/defined";
import { RawCapture } from "../commands/rawCapture";
import { type BlobWriter, type FileRef, ToolError } from "../ground/ports";
import { count, counted, recallHint } from "../ground/text/format";
import { number, pick } from "../ground/text/toolFacts";
import { type FindPorts, meantGlob, resolvePlaces, statPlace } from "../tool/resolvePlaces";
import { firstEntries, type ResultForms } from "../tool/resultForms";
import { defineTool, lookingCall, type RunContext, success, type ToolOutcome } from "../tool/tool";

const MAX_SHOWN = 100;
const KEPT_FILES = 10;
const MAX_RAW = 20 * 1024 * 1024;
/** Where no more was found, ignored files may be what was meant. */
const LITTLE = 3;

const input = z.object({
  pattern: z.string().min(1),
  path: z.string().min(1).optional().describe("Folder; default: the workspace"),
});

interface GlobPorts extends FindPorts {
  blobs(): BlobWriter;
}

export function globTool(ports: GlobPorts) {
  return defineTool({
    name: "Glob",
    description,
    input,
    effect: "read",
    forms,
    async prepare(asked) {
      const places = await resolvePlaces(ports, asked.path);
      const what = { title: `Find ${asked.pattern}`, targets: places };
      return lookingCall("Glob", what, run => find(ports, places, asked.pattern, run));
    },
  });
}

const forms: ResultForms = {
  kept: (facts, { handle }) => ({
    ...pick(facts, "pattern", "hits"),
    ...firstEntries(facts, KEPT_FILES, { listed: number(facts, "hits"), one: "file", handle }),
  }),
  folded: facts => counted(number(facts, "hits"), "file"),
};

async function find(ports: GlobPorts, places: FileRef[], pattern: string, run: RunContext): Promise<ToolOutcome> {
  const lists = [];
  const globs: string[] = [];
  for (const place of places) {
    const stat = await statPlace(ports, place, run);
    if (stat.type !== "directory") {
      const words = `${place.path} is a file. Glob searches a folder: leave path out or name one.`;
      throw new ToolError("INVALID_INPUT", words);
    }
    const glob = await meantGlob(ports, place, pattern);
    globs.push(glob);
    lists.push(await ports.search.glob(place, glob, run.signal));
  }
  run.signal.throwIfAborted();
  const paths = lists
    .flat()
    .sort((a, b) => b.mtime - a.mtime)
    .map(file => file.path);
  const shown = paths.slice(0, MAX_SHOWN);
  const isCut = shown.length < paths.length;
  const raw = isCut ? await store(ports, paths) : undefined;
  const where = places.map(place => (place.path === "." ? "the workspace" : place.path)).join(", ");
  const ignored =
    paths.length <= LITTLE ? await ignoredMatches(ports, places, { globs, found: paths }, run) : undefined;
  const notes = [
    paths.length === 0 &&
      !ignored &&
      `No file matches ${pattern} in ${where}. Patterns start at that folder: **/ stands for any folders below.`,
    isCut && `… the ${MAX_SHOWN} newest of ${count(paths.length)} files. Narrow the pattern or the path to see others.`,
    raw && `Complete list: ${recallHint(raw.sha256)}`,
    ignored &&
      `${paths.length === 0 ? `No file that is not ignored matches ${pattern} in ${where}. ` : ""}${ignored.words}`,
  ].filter(note => typeof note === "string");
  return success({
    data: {
      pattern,
      path: places.map(place => place.path).join(", "),
      hits: paths.length,
      first: shown.slice(0, KEPT_FILES),
      ...defined({ ignored: ignored?.count, truncated: isCut || undefined }),
    },
    text: [...shown, ...notes].join("\n"),
    digest: `Glob ${pattern} ${counted(paths.length, "file")}`,
    ...defined({ raw }),
  });
}

/** How many ignored files match too; undefined: none, as far as was looked. */
async function ignoredMatches(
  { search }: GlobPorts,
  places: readonly FileRef[],
  { globs, found }: { globs: readonly string[]; found: readonly string[] },
  run: RunContext,
): Promise<{ count: number; words: string } | undefined> {
  const all = places.map(async (place, index) => search.globIgnored?.(place, globs[index] ?? "", found, run.signal));
  const others = (await Promise.all(all)).filter(each => each !== undefined && each.count > 0);
  const sum = others.reduce((total, each) => total + (each?.count ?? 0), 0);
  const example = others[0]?.example;
  if (sum === 0) return undefined;
  const files = counted(sum, "ignored file");
  return {
    count: sum,
    words: `${files} ${sum === 1 ? "matches" : "match"}${example === undefined ? "" : `: ${example}${sum > 1 ? ", …" : ""}`}. Read takes such a path; Bash lists them.`,
  };
}

async function store(ports: GlobPorts, paths: readonly string[]) {
  const capture = new RawCapture(ports.blobs, MAX_RAW);
  await capture.write(new TextEncoder().encode(`${paths.join("\n")}\n`));
  return capture.finish();
}
