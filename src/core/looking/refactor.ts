/** Refactor: what language extensions change by themselves, through the same question and the same check as every edit. */
import * as z from "zod";
import description from "../../../prompts/tools/refactor.md";
import type { ToolDiagnostics } from "../changes/diagnostics/problems";
import type { ChangeTitle, WorkspaceChangePorts } from "../changes/edits/workspaceChange";
import { planWorkspaceChange, prepareWorkspaceChange } from "../changes/edits/workspaceChange";
import { type CodeAction, type CodeChange, ToolError } from "../ground/ports";
import { oneLine } from "../ground/text/format";
import { number } from "../ground/text/json";
import type { ResultForms } from "../tool/resultForms";
import { type CallContext, defineTool, type PreparedCall } from "../tool/tool";
import { answered, CHANGE_MS, type CodePorts, codeLines, findPlace, fixesAt } from "./codePlace";

const LISTED = 10;

const input = z.object({
  action: z.enum(["rename", "fix", "organize_imports"]),
  symbol: z.string().min(1).optional(),
  file_path: z.string().min(1).optional(),
  line: z.int().min(1).optional(),
  new_name: z.string().min(1).optional(),
  title: z.string().min(1).optional(),
});
type RefactorInput = z.infer<typeof input>;

interface RefactorPorts extends CodePorts, Omit<WorkspaceChangePorts, "files"> {
  files: CodePorts["files"] & WorkspaceChangePorts["files"];
  diagnostics?: ToolDiagnostics | undefined;
}

export const refactorTool = (ports: RefactorPorts) =>
  defineTool({
    name: "Refactor",
    description,
    input,
    effect: "edit",
    forms,
    places: async ({ file_path }) => (file_path === undefined ? [] : [await ports.files.resolve(file_path)]),
    async prepare(asked, call) {
      if (asked.action === "rename") return rename(ports, asked, call);
      return asked.action === "fix" ? fix(ports, asked, call) : organize(ports, asked, call);
    },
  });

const forms: ResultForms = {
  folded: facts => (facts.added === undefined ? "" : `+${number(facts, "added")} −${number(facts, "removed")}`),
};

async function rename(ports: RefactorPorts, asked: RefactorInput, call: CallContext): Promise<PreparedCall> {
  const { new_name: newName } = asked;
  if (newName === undefined || asked.symbol === undefined)
    throw new ToolError("INVALID_INPUT", "rename needs symbol and new_name, and the file it stands in as file_path.");
  const { ref, at, name } = await findPlace(ports, asked, call);
  const change = await answered(ports, call, stop => ports.code.rename(ref, at, newName, stop), CHANGE_MS);
  if (change.files.length === 0 && change.more === undefined) {
    const words = `No language extension of the editor can rename ${name} in ${ref.path}. Find its places with Grep, and change them with Edit.`;
    throw new ToolError("NOT_FOUND", words, { path: ref.path });
  }
  return prepared(ports, change, {
    title: `Rename ${name} to ${newName}`,
    done: `Renamed ${name} to ${newName}`,
    data: { action: "rename", symbol: name, new_name: newName },
  });
}

async function fix(ports: RefactorPorts, asked: RefactorInput, call: CallContext): Promise<PreparedCall> {
  const { file_path: path, title } = asked;
  if (path === undefined || title === undefined)
    throw new ToolError("INVALID_INPUT", "fix needs file_path, and title as Code fixes lists it.");
  const ref = await ports.files.resolve(path);
  const offered = await fixesAt(ports, ref, asked, call);
  const action = chosen(offered, title, ref.path);
  if (!action.change) {
    const words = `"${action.title}" runs a command of its extension, which nobody could look at before: only the user can apply it, in the editor. Nothing was changed.`;
    throw new ToolError("INVALID_INPUT", words, { path: ref.path });
  }
  const short = oneLine(action.title, 100);
  const what = { title: `Apply "${short}"`, done: `Applied "${short}"`, data: { action: "fix", title: short } };
  return prepared(ports, action.change, what);
}

/** The one with this title, else the only one that has it in its own. */
function chosen(offered: readonly CodeAction[], title: string, path: string): CodeAction {
  const same = (text: string) => text.trim().toLowerCase();
  const exact = offered.filter(action => same(action.title) === same(title));
  const found = exact.length > 0 ? exact : offered.filter(action => same(action.title).includes(same(title)));
  // Two extensions may offer the same; what they would change tells.
  const [first, ...others] = found;
  const isOne = others.every(other => JSON.stringify(other.change) === JSON.stringify(first?.change));
  if (first && isOne) return first;
  const titles = (found.length > 0 ? found : offered).slice(0, LISTED).map(action => `"${oneLine(action.title, 100)}"`);
  const there =
    titles.length > 0
      ? `There are: ${titles.join(", ")}.`
      : "None is offered there (most extensions look for problems only in files that are open in a tab).";
  const what = first ? `Several fixes of ${path} have that title: name a line.` : `No fix of ${path} has that title.`;
  throw new ToolError(first ? "AMBIGUOUS" : "NOT_FOUND", `${what} ${there} Nothing was changed.`, { path });
}

async function organize(ports: RefactorPorts, { file_path: path }: RefactorInput, call: CallContext) {
  if (path === undefined) throw new ToolError("INVALID_INPUT", "organize_imports needs file_path.");
  const ref = await ports.files.resolve(path);
  await codeLines(ports, ref, call);
  const kind = "source.organizeImports";
  const offered = await answered(ports, call, stop => ports.code.actions(ref, undefined, kind, stop), CHANGE_MS);
  const change = offered.find(action => action.change && action.kind === kind)?.change;
  if (!change) {
    const words = `No language extension of the editor has imports of ${ref.path} to organize. Nothing was changed.`;
    throw new ToolError("NOT_FOUND", words, { path: ref.path });
  }
  const what = { title: "Organize imports", done: "Organized imports", data: { action: "organize_imports" } };
  return prepared(ports, change, what);
}

const prepared = async (ports: RefactorPorts, change: CodeChange, what: ChangeTitle): Promise<PreparedCall> =>
  prepareWorkspaceChange(ports, "Refactor", await planWorkspaceChange(ports, change), what);
