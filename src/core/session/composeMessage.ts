/** The user's words on their way to the log: redacted, with the reminder for what they mention and what they attach. */
import type { LoggedMessage } from "../../shared/messages";
import { type Attached, attach } from "../attachments/attach";
import { mentionedAttachments, mentionedPlaces, mentionReminder } from "../mentions/message";
import type { SessionFiles } from "../ports";
import type { AgentPorts } from "./agentPorts";

export interface ComposedMessage {
  parts: LoggedMessage["parts"];
  /** messages of their own behind it, in the order they were named */
  attached: Attached[];
}

/**
 * Rejects with StorageError, where a long attachment cannot be kept.
 * @param signal what takes long is not attached any more
 */
export async function composeMessage(
  text: string,
  ports: AgentPorts,
  blobs: Pick<SessionFiles, "putBlob">,
  signal: AbortSignal,
): Promise<ComposedMessage> {
  await ports.redactor.refresh("workspace");
  const words = ports.redactor.redact(text);
  const window = ports.settings.get()["model.contextWindow"];
  const [places, attached] = await Promise.all([
    mentionedPlaces(words, ports.files),
    attach(mentionedAttachments(words), { ...ports, blobs, window }, signal),
  ]);
  const reminder = mentionReminder(places);
  const parts: LoggedMessage["parts"] = [{ type: "text", text: words }];
  if (reminder) parts.push({ type: "data-reminder", data: { name: "mentions", text: reminder } });
  return { parts, attached };
}
