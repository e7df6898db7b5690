/** A session's hooks, put together, and the moments that events tell of. */

import type { AgentEvent } from "../../../shared/events";
import { t } from "../../../shared/l10n";
import type { PermissionMode } from "../../../shared/settingValues";
import { isOnDisk } from "../../ground/ports/files";
import { SessionHooks } from "../../guidance/hooks/sessionHooks";
import type { History } from "../../log/history";
import type { Events } from "./events";
import type { AgentPorts } from "./sessionTools";

/** ms that hooks get when their session is left: a window that closes does not wait longer. */
const ENDING_MS = 3_000;

export function sessionHooks(
  { hooks, shell, clock, hash, logger, files, redactor }: AgentPorts,
  history: History,
  mode: () => PermissionMode,
): SessionHooks | undefined {
  return (
    hooks &&
    new SessionHooks({
      hooks,
      shell,
      clock,
      hash,
      logger,
      mode,
      redact: redactor.redact,
      sessionId: history.files.id,
      transcript: history.files.pathOf?.("history.jsonl") ?? "",
      folder: () => files.roots.find(isOnDisk)?.path,
      async note(level, text, code = "hook") {
        await history.append({ kind: "note", level, code, text });
      },
    })
  );
}

/** Tells hooks that the person is asked, without waiting for them. */
export function followQuestions(hooks: SessionHooks, events: Events, logger: AgentPorts["logger"]): void {
  const never = new AbortController().signal;
  events.subscribe((event: AgentEvent) => {
    const asked = event.type === "record" && question(event.record);
    if (!asked) return;
    const fields = { message: asked, notification_type: "permission_prompt" };
    hooks.tell("Notification", { names: ["permission_prompt"], fields }, never).catch(error => {
      logger.log("warning", "the hooks of a notification did not run", { error: String(error) });
    });
  });
}

function question(record: Extract<AgentEvent, { type: "record" }>["record"]): string | undefined {
  if (record.kind === "approval" && !record.answer) return record.action.title;
  return record.kind === "question" && !record.answer ? t("The agent has a question.") : undefined;
}

export const endHooks = (hooks: SessionHooks | undefined) => hooks?.end(AbortSignal.timeout(ENDING_MS));
