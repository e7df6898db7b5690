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

const KNOWN = "/compact (with what to keep, if you like), /undo and /redo";

/** Why a message that begins like a command is none, and is not for the model either; undefined: it can be sent. */
export function unknownCommand(text: string): string | undefined {
  const word = /^\/([a-z][\w-]*)(?=\s|$)/i.exec(text.trim())?.[1];
  if (word === undefined || ["compact", "undo", "redo"].includes(word)) return undefined;
  if (word === "help") return `Commands: ${KNOWN}. @ names files, folders and what else goes along.`;
  return `There is no command /${word}; there are ${KNOWN}. To send this as a message, begin it with another word.`;
}
