/** What `attachment` records do to the conversation (CONTEXT.md, section 9). */
import type { StrataMessage } from "../../shared/messages";
import type { RecordOf } from "../../shared/records";

/** As user-role text, as injections: a part of the format on disk (compose.ts). */
export function attachedMessage({ messageId, ts, turn, runId, ...attached }: RecordOf<"attachment">): StrataMessage {
  const { name, text, trust } = attached;
  return {
    id: messageId,
    role: "user",
    parts: [{ type: "data-reminder", data: { name: `attachment:${name}`, text, trust } }],
    metadata: { ts, turn, step: 0, runId, kind: "notice" },
  };
}
