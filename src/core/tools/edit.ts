/** Edit: one exact replacement. */
import * as z from "zod";
import description from "../../../prompts/tools/edit.md";
import { type EditPorts, prepareEdit } from "../edits/fileEdit";
import { replaceIntent } from "../edits/rebase";
import { defineTool, type Tool } from "../toolkit/tool";

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
      const { old_string: oldText, new_string: newText, replace_all: replaceAll } = asked;
      const intent = replaceIntent([{ oldText, newText, replaceAll }], ref.path);
      return prepareEdit(ports, call, { toolName: "Edit", ref, intent });
    },
  });
}
