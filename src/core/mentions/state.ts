/** What a mention names, by the code that decides it when a message is sent: the composer shows it before. */
import type { MentionState } from "../../shared/panelMentions";
import { FileError, type Files } from "../ports";
import { mentionedAttachments, placeNamed } from "./find";
import { type Mention, parseMentions } from "./parse";

/** @param raw one mention as it stands in a text, with `@`: that one, no shorter reading of it */
export async function mentionState(raw: string, files: Pick<Files, "resolve" | "stat">): Promise<MentionState> {
  if (mentionedAttachments(raw).length > 0) return "attachment";
  const [mention] = parseMentions(raw);
  if (!mention) return "missing";
  const place = await placeNamed(mention, files);
  return place ? place.kind : (await liesOutside(mention, files)) ? "outside" : "missing";
}

async function liesOutside(mention: Mention, files: Pick<Files, "resolve">): Promise<boolean> {
  try {
    return !(await files.resolve(mention.path)).inside;
  } catch (error) {
    // A path that leads nowhere, or that no file system takes, is no file's.
    if (error instanceof FileError) return false;
    throw error;
  }
}
