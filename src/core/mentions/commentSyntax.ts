/** Where the comments of a document are: VS Code gives no scopes, so a table of languages decides. Pure. */
import { type CommentRange, scanComments } from "./comments/scan";
import { rulesOf } from "./comments/table";

export type { CommentRange } from "./comments/scan";

/** Texts longer than this (UTF-16 units) are data, and looking through them would hold up typing. */
const LONGEST = 4_000_000;

/** In order; none where the language is not known. */
export function commentsOf(text: string, languageId: string): CommentRange[] {
  const rules = rulesOf(languageId);
  return rules && text.length <= LONGEST ? scanComments(text, rules) : [];
}

/** Whether the table has the language. */
export function hasComments(languageId: string): boolean {
  return rulesOf(languageId) !== undefined;
}
