import type { FileChange } from "../../../src/shared/toolResult";
import { whyNoUndo } from "../../../src/shared/undoLimits";
import { usePanel, usePanelState } from "../hooks";
import { editKey } from "../store/changes";
import type { ToolItem } from "../store/items";
import type { Session } from "../store/state";
import { RevertButton } from "./RevertButton";

/** Undo of one edit of one file, where its card stands. */
export function EditRevert({ tool, change }: { tool: ToolItem; change: FileChange }) {
  const panel = usePanel();
  const undone = usePanelState(state => isUndone(state.session, tool, change.uri));
  const messageId = tool.outcome?.messageId;
  const edit = { callId: tool.key, uri: change.uri, ...(messageId === undefined ? {} : { messageId }) };
  const why = whyNoUndo(change);
  return (
    <RevertButton
      undone={undone}
      what={`this edit of ${change.path}`}
      {...(why === undefined ? {} : { why })}
      undo={() => panel.undoEdit(edit)}
      redo={() => panel.redoEdit(edit)}
    />
  );
}

/** "undone", or of several files how many. */
export function UndoneWords({ tool }: { tool: ToolItem }) {
  const all = tool.outcome?.changes.length ?? 0;
  const undone = usePanelState(
    ({ session }) => tool.outcome?.changes.filter(({ uri }) => isUndone(session, tool, uri)).length ?? 0,
  );
  if (undone === 0) return null;
  return <span className="tool-undone">{undone === all ? "undone" : `${undone} of ${all} undone`}</span>;
}

function isUndone(session: Session, tool: ToolItem, uri: string): boolean {
  const messageId = tool.outcome?.messageId;
  return messageId !== undefined && session.undoneEdits[editKey({ messageId, callId: tool.key }, uri)] === true;
}
