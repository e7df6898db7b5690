/**
 * Edit: one exact replacement, or several in one file, in order, all or nothing. Write: a whole file, new or overwritten; one that the
 * session knows and that is gone is looked for again for 70 ms: Git takes files away for a moment.
 */
import * as z from "zod";
import editDescription from "../../../prompts/tools/edit.md";
import writeDescription from "../../../prompts/tools/write.md";
import { type FileRef, ToolError } from "../ground/ports";
import { CUT_NOTE, counted } from "../ground/text/format";
import { list, number, pick, type ResultFacts, text, toFacts } from "../ground/text/json";
import { type DeletedFilePorts, isNew } from "../log/stamps";
import type { ResultForms } from "../tool/resultForms";
import { defineTool } from "../tool/tool";
import { type EditPorts, prepareChange, prepareEdit } from "./edits/fileEdit";
import { splitUnits } from "./edits/notebook";
import { planWrite, requireNotebook } from "./edits/notebookEdit";
import { type EditIntent, replaceIntent } from "./edits/rebase";

const replacement = { old_string: z.string(), new_string: z.string(), replace_all: z.boolean().optional() };
const several = z
  .array(z.object(replacement))
  .optional()
  .describe("Instead: several in this file, in order, all or none");
const file_path = z.string().min(1);
const editInput = z.object({ file_path, ...z.object(replacement).partial().shape, edits: several });
const writeInput = z.object({ file_path, content: z.string() });

export const editTool = (ports: EditPorts) =>
  defineTool({
    name: "Edit",
    description: editDescription,
    input: editInput,
    effect: "edit",
    forms: editForms,
    places: async ({ file_path }) => [await ports.files.resolve(file_path)],
    async prepare(asked, call) {
      const ref = await ports.files.resolve(asked.file_path);
      const replacements = editsOf(asked).map(edit => ({
        oldText: edit.old_string,
        newText: edit.new_string,
        replaceAll: edit.replace_all,
      }));
      return prepareEdit(ports, call, { toolName: "Edit", ref, intent: replaceIntent(replacements, ref.path) });
    },
  });

/** Some models fill in every field: empty ones beside `edits` mean nothing. */
function editsOf({ old_string, new_string, replace_all, edits = [] }: z.infer<typeof editInput>) {
  if (!old_string && !new_string && edits.length > 0) return edits;
  if (old_string === undefined || new_string === undefined)
    throw new ToolError("INVALID_INPUT", "Give old_string and new_string, or edits. Nothing was changed.");
  return [{ old_string, new_string, replace_all }, ...edits];
}

const RANGES = 8;

/** The call has the written text; only its beginning once the turn has settled. */
const editForms: ResultForms = {
  kept: (facts, { handle }) => ({
    ...pick(facts, "path", "action", "lines"),
    ranges: changedRanges(facts),
    ...pick(facts, "added", "removed", "fragment"),
    saved: facts.saved === false ? false : undefined,
    newProblems: newProblems(facts),
    left: facts.changedByUser
      ? `… what the user changed of the proposal, ${handle}`
      : facts.changedOnSave && `… what changed when it was saved, ${handle}`,
  }),
  folded: facts => {
    const isEdited = text(facts, "action") === "edited";
    return [isEdited ? changedRanges(facts)?.[0] : text(facts, "action"), changeCount(facts)].filter(Boolean).join(" ");
  },
};

/** of an edit; that there were none is not kept */
function newProblems(facts: ResultFacts): string[] | undefined {
  const lines = list(toFacts(facts.diagnostics), "first");
  return lines.length > 0 ? lines : undefined;
}

/** Changed lines as "3-5", "7"; lines that were only removed as "after 6". */
function changedRanges(facts: ResultFacts): string[] | undefined {
  if (!Array.isArray(facts.ranges)) return undefined;
  const ranges = facts.ranges.map(toFacts).map(range => {
    const [first, last] = [number(range, "first"), number(range, "last")];
    if (last < first) return `after ${first - 1}`;
    return first === last ? `${first}` : `${first}-${last}`;
  });
  const more = ranges.length - RANGES;
  return more > 0 ? [...ranges.slice(0, RANGES), `… ${counted(more, "more place")}`] : ranges;
}

const changeCount = (facts: ResultFacts) =>
  facts.added === undefined ? "" : `+${number(facts, "added")} −${number(facts, "removed")}`;

export const writeTool = (ports: EditPorts & DeletedFilePorts) =>
  defineTool({
    name: "Write",
    description: writeDescription,
    input: writeInput,
    effect: "edit",
    forms: editForms,
    places: async ({ file_path }) => [await ports.files.resolve(file_path)],
    async prepare(asked, call) {
      const ref = await ports.files.resolve(asked.file_path);
      requireNotebook(ref, asked.content);
      if (await isNew(ports, ref, call)) {
        if (asked.file_path.endsWith("/"))
          throw new ToolError("INVALID_INPUT", `${asked.file_path} names a folder: add the name of the file.`);
        const edits = asked.content === "" ? [] : [{ start: 0, end: 0, text: asked.content }];
        return prepareChange(ports, { toolName: "Write", ref, base: null, edits, newText: asked.content });
      }
      const intent: EditIntent = {
        plan(text) {
          requireNoCutNote(ref, text, asked.content);
          return planWrite(ref, text, asked.content);
        },
        quotes: "file",
      };
      return prepareEdit(ports, call, { toolName: "Write", ref, intent });
    },
  });

/** Of a file that the session wrote itself it knows all, and Read still cuts its long lines: the note must not become text. */
function requireNoCutNote({ path }: FileRef, text: string, content: string): void {
  const note = CUT_NOTE.exec(content)?.[0];
  if (note === undefined || text.includes(note)) return;
  const { texts, isCut } = splitUnits(path, text, same => same);
  if (!texts.some((_, index) => isCut(index))) return;
  throw new ToolError(
    "NOT_READ",
    `content has the note "${note}", which stands where Read cuts a long line of ${path}: Write would put it in the place of the rest. Use Edit. Nothing was changed.`,
    { path },
  );
}
