import { plural, t } from "../../../../src/shared/l10n";
import type { FileChange } from "../../../../src/shared/toolResult";
import { whyNoUndo } from "../../../../src/shared/undoLimits";
import { IconButton, LinkButton, useBusy } from "../../controls/controls";
import { usePanel, usePanelState } from "../../panel/hooks";
import { type ChangingRecord, editKey, type TakenBack, takenBack } from "../../store/changes";
import type { SessionView } from "../../store/state";

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

type EditProps = { record: ChangingRecord; change: FileChange };

/** Undo of one edit of one file, on its card. */
function EditRevert({ record, change }: EditProps) {
  const panel = usePanel();
  const { uri, path } = change;
  const { callId, messageId } = record;
  const undone = usePanelState(state => isUndone(state.session, record, uri));
  const taken = useTakenBack(uri, record.seq);
  if (taken && !undone) return <RedoReview uri={uri} path={path} />;
  return (
    <RevertButton
      undone={undone}
      label={undone ? t("Redo this edit of {0}", path) : t("Undo this edit of {0}", path)}
      why={whyNoUndo(change)}
      revert={way => panel.ask(`${way}Edit`, { callId, messageId, uri })}
    />
  );
}

/** What can be done with the change of a call, in its line. */
export function EditActions({ record, change }: EditProps) {
  const panel = usePanel();
  const edit = { callId: record.callId, uri: change.uri };
  return (
    <>
      <EditRevert record={record} change={change} />
      <LinkButton onClick={() => panel.ask("openDiff", edit)}>{t("Diff")}</LinkButton>
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
export function UndoneWords({ record }: { record: ChangingRecord }) {
  const { changes = [], seq } = record;
  const undone = usePanelState(({ session }) => changes.filter(({ uri }) => isUndone(session, record, uri)).length);
  const taken = useTakenBack(changes[0]?.uri ?? "", seq);
  if (undone === 0 && (!taken || changes.length > 1)) return null;
  const isAll = undone > 0 ? undone === changes.length : taken?.isAll;
  const some = undone > 0 ? t("{0} of {1} undone", undone, changes.length) : taken && takenBackWords(taken);
  return <span className={isAll ? "tool-undone all" : "tool-undone"}>{isAll ? t("undone") : some}</span>;
}

const isUndone = ({ undoneEdits }: SessionView, record: ChangingRecord, uri: string): boolean =>
  undoneEdits[editKey(record, uri)] === true;
