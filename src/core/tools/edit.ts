/** Edit: one exact replacement. MultiEdit: several in one file, in order, all or nothing. */
import * as z from "zod";
import editDescription from "../../../prompts/tools/edit.md";
import multiEditDescription from "../../../prompts/tools/multiEdit.md";
import { type EditPorts, prepareEdit } from "../edits/fileEdit";
import { replaceIntent } from "../edits/rebase";
import { counted } from "../text/format";
import { list, number, pick, type ResultFacts, text, toFacts } from "../text/toolFacts";
import type { ResultForms } from "../toolkit/resultForms";
import { type CallContext, defineTool, type PreparedCall } from "../toolkit/tool";

const replacement = { old_string: z.string(), new_string: z.string(), replace_all: z.boolean().optional() };
const editInput = z.object({ file_path: z.string().min(1), ...replacement });
const multiEditInput = z.object({ file_path: z.string().min(1), edits: z.array(z.object(replacement)).min(1) });
type MultiEditInput = z.infer<typeof multiEditInput>;

export function editTool(ports: EditPorts) {
  return defineTool({
    name: "Edit",
    description: editDescription,
    input: editInput,
    effect: "edit",
    forms,
    places: asked => place(ports, asked),
    prepare: ({ file_path, ...edit }, call) => prepare("Edit", { file_path, edits: [edit] }, ports, call),
  });
}

export function multiEditTool(ports: EditPorts) {
  return defineTool({
    name: "MultiEdit",
    description: multiEditDescription,
    input: multiEditInput,
    effect: "edit",
    forms,
    places: asked => place(ports, asked),
    prepare: (asked, call) => prepare("MultiEdit", asked, ports, call),
  });
}

const place = async ({ files }: EditPorts, { file_path }: { file_path: string }) => [await files.resolve(file_path)];

async function prepare(
  toolName: "Edit" | "MultiEdit",
  { file_path, edits }: MultiEditInput,
  ports: EditPorts,
  call: CallContext,
): Promise<PreparedCall> {
  const ref = await ports.files.resolve(file_path);
  const replacements = edits.map(({ old_string: oldText, new_string: newText, replace_all: replaceAll }) => ({
    oldText,
    newText,
    replaceAll,
  }));
  return prepareEdit(ports, call, { toolName, ref, intent: replaceIntent(replacements, ref.path) });
}

export const FRAGMENT_LINES = 40;
const RANGES = 8;

const forms: ResultForms = {
  kept: (facts, { handle }) => ({
    ...pick(facts, "path", "action"),
    ranges: changedRanges(facts),
    ...pick(facts, "added", "removed"),
    fragment: fragmentText(facts),
    saved: facts.saved === false ? false : undefined,
    newProblems: newProblems(facts),
    left: facts.changedByUser
      ? `… what the user changed of the proposal, ${handle}`
      : facts.changedOnSave && `… what changed when it was saved, ${handle}`,
  }),
  folded: facts => [changedRanges(facts)?.[0], changeCount(facts)].filter(Boolean).join(" "),
};

export function fragmentText(facts: ResultFacts): string | undefined {
  const lines = text(facts, "fragment").split("\n").slice(0, FRAGMENT_LINES);
  return lines.length === 1 && lines[0] === "" ? undefined : lines.join("\n");
}

/** of an edit; that there were none is not kept */
export function newProblems(facts: ResultFacts): string[] | undefined {
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
