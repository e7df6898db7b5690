/** MultiEdit: several exact replacements in one file, in order, all or nothing. */
import * as z from "zod";
import description from "../../../prompts/tools/multiEdit.md";
import { type EditPorts, prepareEdit } from "../edits/fileEdit";
import { replaceIntent } from "../edits/rebase";
import { defineTool, type Tool } from "../toolkit/tool";

const input = z.object({
  file_path: z.string().min(1),
  edits: z
    .array(z.object({ old_string: z.string(), new_string: z.string(), replace_all: z.boolean().optional() }))
    .min(1),
});
export type MultiEditInput = z.infer<typeof input>;

export function multiEditTool(ports: EditPorts): Tool<MultiEditInput> {
  return defineTool({
    name: "MultiEdit",
    description: description.trim(),
    input,
    effect: "edit",
    async prepare(asked, call) {
      const ref = await ports.files.resolve(asked.file_path);
      const replacements = asked.edits.map(edit => ({
        oldText: edit.old_string,
        newText: edit.new_string,
        replaceAll: edit.replace_all,
      }));
      return prepareEdit(ports, call, { toolName: "MultiEdit", ref, intent: replaceIntent(replacements, ref.path) });
    },
  });
}
