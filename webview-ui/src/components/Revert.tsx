import type { FileChange } from "../../../src/shared/toolResult";
import { whyNoUndo } from "../../../src/shared/undoLimits";
import { IconButton, useBusy } from "../controls/controls";
import { usePanel, usePanelState } from "../panel/hooks";
import { editKey } from "../store/changes";
import type { SessionView, ToolItem } from "../store/state";

interface RevertProps {
  undone: boolean;
  /** "the changes of a.ts": follows Undo or Redo */
  what: string;
  /** why it cannot be: said as the button's title, and when it is pressed */
  why?: string | undefined;
  revert(way: "undo" | "redo"): Promise<unknown>;
}

/** Undo, or, where that was done, Redo. Comes into sight with the line it stands in. */
export function RevertButton({ undone, what, why, revert }: RevertProps) {
  const panel = usePanel();
  const readOnly = usePanelState(state => state.session.readOnly);
  const { busy, run } = useBusy(() => revert(undone ? "redo" : "undo"));
  if (readOnly) return null;
  const label = `${undone ? "Redo" : "Undo"} ${what}`;
  return (
    <IconButton
      icon={undone ? "redo" : "discard"}
      label={label}
      title={why ?? label}
      className="on-hover"
      // Disabled it would lose the focus, and could not say why.
      aria-disabled={busy || why !== undefined}
      onClick={() => (why === undefined ? run() : panel.say(why))}
    />
  );
}

/** Undo of one edit of one file, where its card stands. */
export function EditRevert({ tool, change }: { tool: ToolItem; change: FileChange }) {
  const panel = usePanel();
  const undone = usePanelState(state => isUndone(state.session, tool, change.uri));
  const messageId = tool.outcome?.messageId;
  const edit = { callId: tool.key, uri: change.uri, ...(messageId === undefined ? {} : { messageId }) };
  return (
    <RevertButton
      undone={undone}
      what={`this edit of ${change.path}`}
      why={whyNoUndo(change)}
      revert={way => panel.ask(`${way}Edit`, edit)}
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

function isUndone(session: SessionView, tool: ToolItem, uri: string): boolean {
  const messageId = tool.outcome?.messageId;
  return messageId !== undefined && session.undoneEdits[editKey({ messageId, callId: tool.key }, uri)] === true;
}
