/** What a question about a permission is about: its sentence, the thing itself, and in a small line where and why. */
import { useState } from "react";
import { type ApprovalAction, isDanger, toldEffects } from "../../../../src/shared/approval";
import { askerOf } from "../../../../src/shared/delegation";
import { plural, t } from "../../../../src/shared/l10n";
import { actionTitle } from "../../../../src/shared/outcomeSaid";
import type { FileChange } from "../../../../src/shared/toolResult";
import { Icon, LinkButton, WithCode } from "../../controls/controls";
import { usePanel } from "../../panel/hooks";
import { exactLine, exactText, type Shown, shownLines, visibleText } from "../../text/format";
import { ChangeCount, Diffs } from "../changes/Diff";

export type ApprovalDetail = ApprovalAction["detail"];

type AboutApproval = { detail: ApprovalDetail; approvalId: string; action: ApprovalAction };

/** More than a folded text has room for. */
const FOLDED_LINES = 20;

/** @param isOpen the whole is shown, however long */
export function ApprovalDetails({ detail, approvalId, action, isOpen }: AboutApproval & { isOpen: boolean }) {
  if (detail.type === "read") return <Exact text={shownLines(detail.paths.map(exactLine))} />;
  if (detail.type === "edit") {
    const { changes } = detail;
    return (
      <Diffs
        changes={changes}
        named={titledChange(action, changes) === undefined}
        most={isOpen ? Number.POSITIVE_INFINITY : FOLDED_LINES}
        // a change of several files can only be taken as it is
        action={change => (changes.length > 1 ? null : <OpenDiff approvalId={approvalId} path={change.path} />)}
      />
    );
  }
  const { type } = detail;
  return (
    <>
      {type === "other" && <p className="exact">{exactLine(detail.summary)}</p>}
      <Exact text={exactText(type === "command" ? detail.command : JSON.stringify(detail.input, null, 2))} />
      {type === "command" && detail.unsaved && <UnsavedFiles paths={detail.unsaved} />}
    </>
  );
}

/** What other tools do to files has a sentence of their own: "Rename a to b in 31 files?" */
const isPlainEdit = ({ toolName }: ApprovalAction) => ["Edit", "Write"].includes(toolName);

/** A longer path may go on below the title's end: its diff has to show the name. */
const MAX_TITLED = 80;

/** The one change whose file the title names whole, so that its diff need not. */
function titledChange(action: ApprovalAction, changes: readonly FileChange[]): FileChange | undefined {
  const [first, ...others] = changes;
  if (first === undefined || others.length > 0 || !isPlainEdit(action)) return undefined;
  return first.path.length <= MAX_TITLED ? first : undefined;
}

/** Beside a title that names the file. */
export function HeadOfChange({ action, detail, approvalId }: AboutApproval) {
  const change = detail.type === "edit" ? titledChange(action, detail.changes) : undefined;
  if (change === undefined) return null;
  return (
    <span className="approval-change">
      <ChangeCount changes={[change]} />
      <OpenDiff approvalId={approvalId} path={change.path} />
    </span>
  );
}

/** The question in one sentence. What would run is below it, whole. Another agent's begins with its name. */
export function approvalTitle(action: ApprovalAction, detail: ApprovalDetail): string {
  const [, name, title] = askerOf(action.callId) === undefined ? [] : (/^(.+?): (.*)$/s.exec(action.title) ?? []);
  if (name !== undefined && title !== undefined)
    return t("{0}: {1}", visibleText(name), approvalTitle({ ...action, callId: "", title }, detail));
  if (detail.type === "edit") return editTitle(detail.changes, action);
  return detail.type === "command" ? t("Run this command?") : visibleText(actionTitle(action));
}

function editTitle(changes: readonly FileChange[], action: ApprovalAction): string {
  const [first, ...others] = changes;
  if (first === undefined || !isPlainEdit(action)) return visibleText(actionTitle(action));
  if (others.length > 0) return plural(changes.length, "Change 1 file?", "Change {0} files?");
  const path = visibleText(first.path);
  return first.created ? t("Create {0}?", path) : t("Edit {0}?", path);
}

/** Each no that it goes against; a click shows the call that was refused. */
export function DeniedBefore({ id, action: { denied = [] } }: { id: string; action: ApprovalAction }) {
  const panel = usePanel();
  if (denied.length === 0) return null;
  return (
    <p id={id} className="approval-denied">
      {denied.map(({ denialId, callId, seq, words }) => (
        <LinkButton key={denialId} title={t("Show that call")} onClick={() => void panel.find.reveal(callId, seq)}>
          <Icon name="circle-slash" /> <WithCode text={exactLine(words)} />
        </LinkButton>
      ))}
    </p>
  );
}

/** What it would do and why it is asked, dangers first; where it runs, if not in the workspace's only root. */
export function WhyAsked({ id, action, detail }: { id: string; action: ApprovalAction; detail: ApprovalDetail }) {
  // These files are named below.
  const others = toldEffects(action).filter(({ words }) => words !== t("files have unsaved changes"));
  const told = others.map(effect => ({ ...effect, words: exactLine(effect.words) }));
  const dangers = told.filter(isDanger).map(({ words }) => words);
  const { place = "", background = false } =
    detail.type === "command" ? { ...detail, place: detail.place ?? detail.cwd } : {};
  const quiet = [
    ...told.filter(effect => !isDanger(effect)).map(({ words }) => words),
    ...(place === "" ? [] : [t("in {0}", exactLine(place))]),
    ...(background ? [t("It runs until it ends, you stop it, or this window closes.")] : []),
  ];
  if (dangers.length + quiet.length === 0) return null;
  return (
    <p id={id} className="approval-why exact quiet">
      {dangers.length === 0 ? null : (
        <span className="approval-warning">
          <Icon name="warning" /> {dangers.join(" · ")}
        </span>
      )}
      {dangers.length > 0 && quiet.length > 0 ? " · " : null}
      {quiet.join(" · ")}
    </p>
  );
}

/** What would run, whole. */
const Exact = ({ text }: { text: Shown }) => <pre className="command-text">{text}</pre>;

/** In the diff editor the proposal can be changed before it is allowed; one of a notebook can only be read. */
function OpenDiff({ approvalId, path }: { approvalId: string; path: string }) {
  const panel = usePanel();
  const isNotebook = path.endsWith(".ipynb");
  const title = isNotebook
    ? t("Open the diff of the notebook's text")
    : t("Open in the diff editor and change it there");
  return (
    <LinkButton title={title} onClick={() => panel.ask("openProposal", { approvalId })}>
      {t("Open Diff")}
    </LinkButton>
  );
}

/** How many unsaved files are named without a click. */
const MAX_FILES = 5;

function UnsavedFiles({ paths }: { paths: readonly string[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? paths : paths.slice(0, MAX_FILES);
  const more = paths.length - shown.length;
  return (
    <div>
      <p>
        {plural(
          paths.length,
          "The command does not see your unsaved changes in 1 file:",
          "The command does not see your unsaved changes in {0} files:",
        )}
      </p>
      <ul className="unsaved-files">
        {shown.map(path => (
          <li key={path}>{visibleText(path)}</li>
        ))}
        {more > 0 ? (
          <li>
            <LinkButton onClick={() => setAll(true)}>{plural(more, "and 1 more", "and {0} more")}</LinkButton>
          </li>
        ) : null}
      </ul>
    </div>
  );
}
