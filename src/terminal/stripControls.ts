import { stripVTControlCharacters } from "node:util";

/** Texts come from models, files, commands and other people's sessions: none of them may steer the terminal. */
export function stripControls(text: string): string {
  return stripVTControlCharacters(text).replace(/\p{Cc}/gu, char => (char === "\n" || char === "\t" ? char : ""));
}
