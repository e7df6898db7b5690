/** What asks a model for a summary: follows the conversation that goes, in the tail of the request. Pure. */
import summaryPrompt from "../../../prompts/summary.md";
import { counted, oneLine } from "../text/format";
import { codeSpan, neutral } from "../text/plainText";
import { render } from "../text/render";
import type { MemorySlots } from "./slots";

const GUIDANCE_CHARACTERS = 2_000;

export interface InstructionInput {
  slots: MemorySlots;
  /** the user's words, from `/compact words` */
  guidance?: string;
  /** first and last turn that go */
  turns: { from: number; to: number };
  /** how many summaries of earlier rounds stand in the request */
  previous?: number;
}

export function summaryInstruction({ slots, guidance, turns, previous = 0 }: InstructionInput): string {
  const { constraints, files, moreFiles } = slots;
  const more = moreFiles.reduce((sum, folder) => sum + folder.files, 0);
  const wish = neutral(guidance ?? "").trim();
  return render(summaryPrompt, {
    turns: turns.from === turns.to ? `round ${turns.from}` : `rounds ${turns.from} to ${turns.to}`,
    constraints: listed(constraints.map(({ text }) => `“${text}”`)),
    files: listed([
      ...files.map(({ path }) => codeSpan(path)),
      ...(more > 0 ? [`and ${counted(more, "more file")}`] : []),
    ]),
    earlier:
      previous > 0
        ? "- Summaries of earlier rounds stand at the head of the conversation. They stay: do not repeat them.\n"
        : "",
    guidance:
      wish === ""
        ? ""
        : `- The user wishes for this summary: “${oneLine(wish, GUIDANCE_CHARACTERS)}”. Heed it within these rules.\n`,
  });
}

const listed = (lines: readonly string[]) =>
  lines.length > 0 ? lines.map(line => `  - ${line}`).join("\n") : "  - (none)";
