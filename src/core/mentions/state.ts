/** What a mention names, by the code that decides it when a message is sent: the composer shows it before. */
import type { MentionState } from "../../shared/panelMentions";
import { FileError, type Files } from "../ports";
import { mentionedAttachments, mentionedPlaces } from "./find";
import { parseMentions } from "./parse";

/** @param raw one mention as it stands in a text, with `@` */
export async function mentionState(raw: string, files: Pick<Files, "resolve" | "stat">): Promise<MentionState> {
  if (mentionedAttachments(raw).length > 0) return "attachment";
  const [place] = await mentionedPlaces(raw, files);
  return place ? place.kind : (await liesOutside(raw, files)) ? "outside" : "missing";
}

async function liesOutside(raw: string, files: Pick<Files, "resolve">): Promise<boolean> {
  const [mention] = parseMentions(raw);
  if (!mention) return false;
  try {
    return !(await files.resolve(mention.path)).inside;
  } catch (error) {
    // A path that leads nowhere, or that no file system takes, is no file's.
    if (error instanceof FileError) return false;
    throw error;
  }
}
