import { useEffect, useMemo, useState } from "react";
import { plural, t } from "../../../../src/shared/l10n";
import type { TurnFile } from "../../../../src/shared/panelProtocol";
import { Icon, LinkButton, Toggle } from "../../controls/controls";
import { ROVING_ROW, useRoving } from "../../controls/roving";
import { usePanel, usePanelState } from "../../panel/hooks";
import { changesMark, filesFromEdits, isMoreThanSums, isPutBack, takenBack, unreadable } from "../../store/changes";
import type { KnownEdit, TurnChanges } from "../../store/state";
import { statusOf } from "../../store/status";
import { visibleText } from "../../text/format";
import { ChangeCount } from "./Diff";
import { RedoReview, RevertButton, takenBackWords, useTakenBack } from "./Revert";

/** The files that a turn changed: "3 files changed +12 −4", which opens to a list; of one file, the file itself. */
export function ChangedFiles({ turn }: { turn: number }) {
  const panel = usePanel();
  const [open, setOpen] = useState(false);
  const { files, missing = [] } = useChanges(turn, open);
  const gap = missing.length > 0 ? t("{0}: what this turn changed there is not listed.", unreadable(missing)) : null;
  const reviews = usePanelState(state => state.session.reviews);
  const newest = usePanelState(state => state.session.changes[turn] ?? none);
  const seqs = useMemo(() => Object.fromEntries(newest.map(({ uri, seq }) => [uri, seq])), [newest]);
  const putBack = usePanelState(({ session }) => isPutBack(session, turn));
  const keys = useRoving<HTMLUListElement>();
  const [only, ...others] = files;
  if (only === undefined) return null;
  // Each card still has its diff; a change that is gone is neither undone nor kept.
  if (putBack) return <p className="changes put-back">{changedWords(files.length, files.length)}</p>;
  if (others.length === 0) {
    return (
      <div className="changes">
        <FileRow turn={turn} file={only} seq={seqs[only.uri] ?? 0} />
        {gap && <p className="changes-gap">{gap}</p>}
      </div>
    );
  }
  const isGone = (file: TurnFile) =>
    isUndone(file) || takenBack(reviews[file.uri] ?? [], seqs[file.uri] ?? 0)?.isAll === true;
  const undone = files.filter(isGone).length;
  const list = (
    <ul className="changes-list" aria-label={t("Changed files")} {...keys}>
      {files.map(file => (
        <li key={file.uri} {...ROVING_ROW}>
          <FileRow turn={turn} file={file} seq={seqs[file.uri] ?? 0} />
        </li>
      ))}
      {gap === null ? null : <li className="changes-gap">{gap}</li>}
    </ul>
  );
  return (
    <div className="changes">
      <div className="changes-line">
        <Toggle open={open} className="changes-toggle" onClick={() => setOpen(!open)}>
          <Icon name={open ? "chevron-down" : "chevron-right"} />
          <span className="changes-words cut">{changedWords(files.length, undone)}</span>
          {undone === files.length ? null : <ChangeCount changes={files} />}
        </Toggle>
        <span className="changes-actions">
          <LinkButton onClick={() => panel.ask("openTurnDiffs", { turn })}>{t("Open all")}</LinkButton>
        </span>
      </div>
      {open ? list : null}
    </div>
  );
}

function changedWords(files: number, undone: number): string {
  if (undone === files) return plural(files, "1 file changed, undone", "{0} files changed, undone");
  const words = plural(files, "1 file changed", "{0} files changed");
  return undone > 0 ? t("{0}, {1} undone", words, undone) : words;
}

const none: readonly KnownEdit[] = [];

/** What the host says, where it was asked; it is where the records alone do not say all. */
function useChanges(turn: number, open: boolean): TurnChanges {
  const panel = usePanel();
  const edits = usePanelState(state => state.session.changes[turn] ?? none);
  const undone = usePanelState(state => state.session.undoneEdits);
  const told = usePanelState(state => state.session.turnFiles[turn]);
  const asks = usePanelState(state => open || isMoreThanSums(state.session, turn));
  const mark = usePanelState(state => changesMark(state.session, turn));
  const known = useMemo(() => filesFromEdits(edits, undone), [edits, undone]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew where an edit was made, undone or redone
  useEffect(() => {
    if (asks && edits.length > 0) void panel.refreshChanges(turn);
  }, [panel, turn, asks, mark]);
  if (!asks || told === undefined) return { files: known };
  return told.files.length >= known.length ? told : { ...told, files: known };
}

const isUndone = ({ edits, undone }: TurnFile) => undone === edits;

/** @param seq of the file's newest edit in this turn */
function FileRow({ turn, file, seq }: { turn: number; file: TurnFile; seq: number }) {
  const panel = usePanel();
  const { path, uri, edits, undone, created, deleted } = file;
  const kind = kinds[deleted ? "deleted" : created ? "created" : "edited"];
  const cut = path.lastIndexOf("/") + 1;
  const [name, folder] = [visibleText(path.slice(cut)), visibleText(path.slice(0, Math.max(0, cut - 1)))];
  const taken = useTakenBack(uri, seq);
  const isGone = isUndone(file) || taken?.isAll === true;
  const some = undone > 0 ? plural(edits, "{1} of 1 edit undone", "{1} of {0} edits undone", undone) : undefined;
  const state = isUndone(file) ? t("undone") : (some ?? (taken && takenBackWords(taken)));
  // Where the line above the composer is about what waits for a review, it acts on that.
  const waits = usePanelState(
    state => statusOf(state) === "review" && state.session.review.some(each => each.uri === uri),
  );
  const title = `${path}\n${t("Open the diff since before this turn")}`;
  const show = () => panel.ask("openTurnDiff", { turn, uri });
  return (
    <div className={isGone ? "file-row undone" : "file-row"}>
      <button type="button" className="file-open" title={title} onClick={show}>
        <Icon name={kind.icon} />
        <span className="visually-hidden">{kind.words()}: </span>
        <span className="file-name cut">{name}</span>
        <span className="file-folder cut">{folder}</span>
        <span className="file-state">{state}</span>
        <ChangeCount changes={[file]} />
      </button>
      <span className="tool-actions">
        {taken && !isUndone(file) ? (
          <RedoReview uri={uri} path={name} />
        ) : waits ? null : (
          <RevertButton
            undone={isUndone(file)}
            label={isUndone(file) ? t("Redo the changes of {0}", name) : t("Undo the changes of {0}", name)}
            why={file.why}
            revert={way => panel.ask(`${way}File`, { turn, uri })}
          />
        )}
      </span>
    </div>
  );
}

const kinds = {
  created: { icon: "diff-added", words: () => t("created") },
  edited: { icon: "diff-modified", words: () => t("edited") },
  deleted: { icon: "diff-removed", words: () => t("deleted") },
};
