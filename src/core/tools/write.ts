/** Write: a whole file, new or overwritten. */
import * as z from "zod";
import description from "../../../prompts/tools/write.md";
import { planWhole } from "./editEngine";
import { type EditPorts, prepareChange, readForEdit } from "./fileEdit";
import { defineTool, type Tool, ToolError } from "./tool";

const input = z.object({ file_path: z.string().min(1), content: z.string() });
export type WriteInput = z.infer<typeof input>;

export function writeTool(ports: EditPorts): Tool<WriteInput> {
  return defineTool({
    name: "Write",
    description: description.trim(),
    input,
    effect: "edit",
    async prepare(asked, call) {
      const ref = await ports.files.resolve(asked.file_path);
      if (!(await ports.files.stat(ref))) {
        const edits = asked.content === "" ? [] : [{ start: 0, end: 0, text: asked.content }];
        return prepareChange(ports, { toolName: "Write", ref, base: null, edits, newText: asked.content });
      }
      const base = await readForEdit(ports, ref, call);
      const plan = planWhole(base.text, asked.content);
      if (plan.edits.length === 0) {
        throw new ToolError("INVALID_INPUT", `${ref.path} has exactly this content already. Nothing was written.`, {
          path: ref.path,
        });
      }
      return prepareChange(ports, { toolName: "Write", ref, base, ...plan });
    },
  });
}
