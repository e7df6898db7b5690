/**
 * Write: a whole file, new or overwritten.
 * A file that the session knows and that is gone is looked for again for 70 ms: Git takes files away for a moment.
 */
import * as z from "zod";
import description from "../../../prompts/tools/write.md";
import { type FileRef, ToolError } from "../ground/ports";
import { CUT_NOTE } from "../ground/text/format";
import { type DeletedFilePorts, isNew } from "../log/stamps";
import { defineTool } from "../tool/tool";
import { editForms } from "./edit";
import { type EditPorts, prepareChange, prepareEdit } from "./edits/fileEdit";
import { planWrite, requireNotebook } from "./edits/notebookEdit";
import { splitUnits } from "./edits/readUnits";
import type { EditIntent } from "./edits/rebase";

const input = z.object({ file_path: z.string().min(1), content: z.string() });

export const writeTool = (ports: EditPorts & DeletedFilePorts) =>
  defineTool({
    name: "Write",
    description,
    input,
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
