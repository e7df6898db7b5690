/** Glob: files by path pattern, newest first. */
import * as z from "zod";
import description from "../../../prompts/tools/glob.md";
import { defined } from "../../shared/defined";
import { RawCapture } from "../commands/rawCapture";
import { type FileRef, type TextWriter, ToolError } from "../ground/ports";
import { count, counted, recallHint } from "../ground/text/format";
import { number, pick } from "../ground/text/json";
import { type FindPorts, meantGlob, resolvePlaces, statPlace } from "../tool/resolvePlaces";
import { firstEntries, type ResultForms } from "../tool/resultForms";
import { defineTool, lookingCall, type RunContext, success, type ToolOutcome } from "../tool/tool";

const MAX_SHOWN = 100;
const KEPT_FILES = 10;
const MAX_RAW = 20 * 1024 * 1024;

const input = z.object({
  pattern: z.string().min(1),
  path: z.string().min(1).optional().describe("Folder; default: the workspace"),
});

interface GlobPorts extends FindPorts {
  blobs(): TextWriter;
}

export const globTool = (ports: GlobPorts) =>
  defineTool({
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

const forms: ResultForms = {
  kept: (facts, { handle }) => ({
    ...pick(facts, "pattern", "hits"),
    ...firstEntries(facts, KEPT_FILES, { listed: number(facts, "hits"), one: "file", handle }),
  }),
  folded: facts => counted(number(facts, "hits"), "file"),
};

async function find(ports: GlobPorts, places: FileRef[], pattern: string, run: RunContext): Promise<ToolOutcome> {
  const lists = [];
  for (const place of places) {
    const stat = await statPlace(ports, place, run);
    if (stat.type !== "directory") {
      const words = `${place.path} is a file. Glob searches a folder: leave path out or name one.`;
      throw new ToolError("INVALID_INPUT", words);
    }
    lists.push(await ports.search.glob(place, await meantGlob(ports, place, pattern), run.signal));
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
  const notes = [
    paths.length === 0 &&
      `No file that is not ignored matches ${pattern} in ${where}. Patterns start at that folder: **/ stands for any folders below. Read takes the path of an ignored file; Bash lists them.`,
    isCut && `… the ${MAX_SHOWN} newest of ${count(paths.length)} files. Narrow the pattern or the path to see others.`,
    raw && `Complete list: ${recallHint(raw.sha256)}`,
  ].filter(note => typeof note === "string");
  return success({
    data: {
      pattern,
      path: places.map(place => place.path).join(", "),
      hits: paths.length,
      first: shown.slice(0, KEPT_FILES),
      ...defined({ truncated: isCut || undefined }),
    },
    text: [...shown, ...notes].join("\n"),
    digest: `Glob ${pattern} ${counted(paths.length, "file")}`,
    ...defined({ raw }),
  });
}

async function store(ports: GlobPorts, paths: readonly string[]) {
  const capture = new RawCapture(ports.blobs, MAX_RAW);
  await capture.write(`${paths.join("\n")}\n`);
  return capture.finish();
}
