/** What the host does for the conversation's requests. */

import type { Session } from "../../../core/agent/session/session";
import { SessionError } from "../../../core/ground/ports";
import { findResult } from "../../../core/log/findRecords";
import { printedOutput } from "../../../core/log/printedOutput";
import { t } from "../../../shared/l10n";
import type { PanelHandlers } from "../host/dispatch";
import type { EditorActions } from "./editorActions";

export type TalkHandlers = Pick<PanelHandlers, "printed" | "openAnswer" | "rewindFiles" | "redoReview">;

interface TalkHandlerDeps {
  /** the session that the panel shows */
  shown(): Promise<Session>;
  editor: Pick<EditorActions, "openText">;
}

export function talkHandlers({ shown, editor }: TalkHandlerDeps): TalkHandlers {
  return {
    async printed({ callId }) {
      const { history } = await shown();
      const result = await findResult(history, callId);
      if (!result) throw new SessionError(t("This call has no result yet."));
      return printedOutput(history, result);
    },
    async openAnswer({ markdown, pasted }) {
      await editor.openText(pasted ? `${t("Pasted text")}.txt` : "Answer.md", markdown);
      return {};
    },
    async rewindFiles({ rewindId }) {
      await (await shown()).rewind.takeFiles(rewindId);
      return {};
    },
    async redoReview({ uri }) {
      await (await shown()).review.redo(uri);
      return {};
    },
  };
}
