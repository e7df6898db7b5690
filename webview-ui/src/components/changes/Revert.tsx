import { plural, t } from "../../../../src/shared/l10n";
import type { FileChange } from "../../../../src/shared/toolResult";
import { whyNoUndo } from "../../../../src/shared/undoLimits";
import { IconButton, LinkButton, useBusy } from "../../controls/controls";
import { usePanel, usePanelState } from "../../panel/hooks";
import { editKey, type TakenBack, takenBack } from "../../store/changes";
import type { SessionView, ToolItem } from "../../store/state";

type Way = "undo" | "redo";
type RevertProps = { undone: boolean; label: string; why?: string | undefined; revert(way: Way): Promise<unknown> };

/**
 * Undo, which comes into sight with its line, or, where that was done, Redo, which stays.
 * @param why it cannot be: said as the button's title, and when it is pressed
 */
export function RevertButton({ undone, label, why, revert }: RevertProps) {
  const panel = usePanel();
  const readOnly = usePanelState(state => state.session.readOnly);
  const { busy, run } = useBusy(() => revert(undone ? "redo" : "undo"));
  if (readOnly) return null;
  return (
    <IconButton
      icon={undone ? "redo" : "discard"}
      label={label}
      title={why ?? label}
      className={undone ? "redo" : "on-hover"}
      // Disabled it would lose the focus, and could not say why.
      aria-disabled={busy || why !== undefined}
      onClick={() => (why === undefined ? run() : panel.say(why))}
    />
  );
}

/** What reviews took back of a file since this edit. @param seq number of the edit's record */
export function useTakenBack(uri: string, seq: number): TakenBack | undefined {
  const steps = usePanelState(({ session }) => session.reviews[uri]);
  return steps && takenBack(steps, seq);
}

/** "undone", "2 changes undone" */
export const takenBackWords = ({ isAll, undone }: TakenBack): string =>
  isAll ? t("undone") : plural(undone, "1 change undone", "{0} changes undone");

/** Undo of one edit of one file, on its card. */
function EditRevert({ tool, change }: { tool: ToolItem; change: FileChange }) {
  const panel = usePanel();
  const { uri, path } = change;
  const undone = usePanelState(state => isUndone(state.session, tool, uri));
  const taken = useTakenBack(uri, tool.outcome?.seq ?? 0);
  const messageId = tool.outcome?.messageId;
  const edit = { callId: tool.key, uri, ...(messageId === undefined ? {} : { messageId }) };
  if (taken && !undone) return <RedoReview uri={uri} path={path} />;
  return (
    <RevertButton
      undone={undone}
      label={undone ? t("Redo this edit of {0}", path) : t("Undo this edit of {0}", path)}
      why={whyNoUndo(change)}
      revert={way => panel.ask(`${way}Edit`, edit)}
    />
  );
}

/** What can be done with the change of a call, in its line. */
export function EditActions({ tool, change }: { tool: ToolItem; change: FileChange }) {
  const panel = usePanel();
  return (
    <>
      <EditRevert tool={tool} change={change} />
      <LinkButton onClick={() => panel.ask("openDiff", { callId: tool.key, uri: change.uri })}>{t("Diff")}</LinkButton>
    </>
  );
}

/** Makes again what a review took back of a file last, with all that went in the same step. */
export function RedoReview({ uri, path }: { uri: string; path: string }) {
  const panel = usePanel();
  const label = t("Redo what was undone in {0}", path);
  return <RevertButton undone label={label} revert={() => panel.ask("redoReview", { uri })} />;
}

/** "undone", or of several files how many. */
export function UndoneWords({ tool }: { tool: ToolItem }) {
  const changes = tool.outcome?.changes ?? [];
  const undone = usePanelState(({ session }) => changes.filter(({ uri }) => isUndone(session, tool, uri)).length);
  const taken = useTakenBack(changes[0]?.uri ?? "", tool.outcome?.seq ?? 0);
  if (undone === 0 && (!taken || changes.length > 1)) return null;
  const isAll = undone > 0 ? undone === changes.length : taken?.isAll;
  const some = undone > 0 ? t("{0} of {1} undone", undone, changes.length) : taken && takenBackWords(taken);
  return <span className={isAll ? "tool-undone all" : "tool-undone"}>{isAll ? t("undone") : some}</span>;
}

function isUndone(session: SessionView, tool: ToolItem, uri: string): boolean {
  const messageId = tool.outcome?.messageId;
  return messageId !== undefined && session.undoneEdits[editKey({ messageId, callId: tool.key }, uri)] === true;
}
