/** Messages that are commands to Strata itself, typed where a message is: in the composer, or after `--prompt`. */

export interface SlashCommand {
  name: "compact";
  /** what stands after the name, trimmed; "" where nothing does */
  words: string;
}

/** undefined: a message for the model, also where it begins with a slash. */
export function parseSlashCommand(text: string): SlashCommand | undefined {
  const found = /^\/compact(?:\s+([\s\S]*))?$/.exec(text.trim());
  return found ? { name: "compact", words: found[1] ?? "" } : undefined;
}
