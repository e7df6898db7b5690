/** Messages that are commands to Strata itself, typed where a message is: in the composer, or after `--prompt`. */

export interface SlashCommand {
  name: "compact" | "undo" | "redo";
  /** what stands after the name, trimmed; "" where nothing does, and always of undo and redo */
  words: string;
}

/** undefined: a message for the model, also where it begins with a slash. "/undo" and "/redo" are commands as bare words only. */
export function parseSlashCommand(text: string): SlashCommand | undefined {
  const typed = text.trim();
  if (typed === "/undo") return { name: "undo", words: "" };
  if (typed === "/redo") return { name: "redo", words: "" };
  const found = /^\/compact(?:\s+([\s\S]*))?$/.exec(typed);
  return found ? { name: "compact", words: found[1] ?? "" } : undefined;
}
