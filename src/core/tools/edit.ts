/** Edit: one exact replacement. */
import * as z from "zod";
import description from "../../../prompts/tools/edit.md";
import { planEdits } from "./editEngine";
import { type EditPorts, prepareChange, readForEdit } from "./fileEdit";
import { defineTool, type Tool } from "./tool";

const input = z.object({
  file_path: z.string().min(1),
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
});
export type EditInput = z.infer<typeof input>;

export function editTool(ports: EditPorts): Tool<EditInput> {
  return defineTool({
    name: "Edit",
    description: description.trim(),
    input,
    effect: "edit",
    async prepare(asked, call) {
      const ref = await ports.files.resolve(asked.file_path);
      const base = await readForEdit(ports, ref, call);
      const replacement = { oldText: asked.old_string, newText: asked.new_string, replaceAll: asked.replace_all };
      return prepareChange(ports, { toolName: "Edit", ref, base, ...planEdits(base.text, [replacement], ref.path) });
    },
  });
}
