/** What the composer says of the commands that can be typed in it. Pure. */
import type { SlashCommand } from "../../src/shared/slashCommand";

export type SlashCommandName = SlashCommand["name"];

/** Name → what it does, and what may follow it: "" where nothing may. "/" alone offers the first. */
export const slashCommands: Record<SlashCommandName, { after: string; meaning: string }> = {
  compact: { after: "what to keep", meaning: "Summarise older rounds to make room in the context" },
  undo: { after: "", meaning: "Take the newest compaction back" },
  redo: { after: "", meaning: "Do the compaction again that was undone" },
};

const names = Object.keys(slashCommands) as SlashCommandName[];

/** The command that somebody is typing: its name is begun, or written out; undefined: this is a message. */
export function slashCommandBegun(text: string): SlashCommandName | undefined {
  if (!text.startsWith("/") || text.includes("\n")) return undefined;
  const [typed = "", ...rest] = text.slice(1).split(" ");
  const name = names.find(each => (rest.length > 0 ? each === typed : each.startsWith(typed)));
  const isMessage = name !== undefined && slashCommands[name].after === "" && rest.some(word => word !== "");
  return isMessage ? undefined : name;
}
