/** Write: a whole file, new or overwritten. */
import * as z from "zod";
import description from "../../../prompts/tools/write.md";
import { planLines } from "../edits/editEngine";
import { type EditPorts, prepareChange, prepareEdit } from "../edits/fileEdit";
import type { EditIntent } from "../edits/newest";
import { requireNotebook } from "../edits/notebookEdit";
import { defineTool, type Tool } from "./tool";

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
      requireNotebook(ref, asked.content);
      if (!(await ports.files.stat(ref))) {
        const edits = asked.content === "" ? [] : [{ start: 0, end: 0, text: asked.content }];
        return prepareChange(ports, { toolName: "Write", ref, base: null, edits, newText: asked.content });
      }
      const intent: EditIntent = { plan: text => planLines(text, asked.content), quotes: "file" };
      return prepareEdit(ports, call, { toolName: "Write", ref, intent });
    },
  });
}
