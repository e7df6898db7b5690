/** What a question about a permission is about: its sentence, the thing itself, and in a small line where and why. */
import { type ReactNode, useState } from "react";
import { actionTitle } from "../../../src/shared/actionTitle";
import type { ApprovalAction } from "../../../src/shared/approval";
import { plural, t } from "../../../src/shared/l10n";
import type { FileChange } from "../../../src/shared/toolResult";
import { Icon, LinkButton, Toggle } from "../controls/controls";
import { usePanel } from "../panel/hooks";
import { exactLine, exactText, type Shown, shownLines, visibleText } from "../text/format";
import { Diffs } from "./Diff";
import { TO_SEE } from "./useInSight";

export type ApprovalDetail = ApprovalAction["detail"];

type DetailTable = {
  [T in ApprovalDetail["type"]]: (props: {
    detail: Extract<ApprovalDetail, { type: T }>;
    approvalId: string;
  }) => ReactNode;
};

const details: DetailTable = {
  command: ({ detail: { command, unsaved } }) => (
    <>
      <Exact key={command} text={exactText(command)} />
      {unsaved === undefined ? null : <UnsavedFiles paths={unsaved} />}
    </>
  ),
  edit: ({ detail: { changes }, approvalId }) => (
    <Diffs
      changes={changes}
      named
      whole
      // a change of several files can only be taken as it is
      action={change => (changes.length > 1 ? null : <OpenDiff approvalId={approvalId} path={change.path} />)}
    />
  ),
  read: ({ detail }) => <Exact text={shownLines(detail.paths.map(exactLine))} />,
  other: ({ detail }) => (
    <>
      <p className="exact">{exactLine(detail.summary)}</p>
      <Exact text={exactText(JSON.stringify(detail.input, null, 2))} />
    </>
  ),
};

export function ApprovalDetails({ detail, approvalId }: { detail: ApprovalDetail; approvalId: string }) {
  const Details = details[detail.type] as (props: { detail: ApprovalDetail; approvalId: string }) => ReactNode;
  return <Details detail={detail} approvalId={approvalId} />;
}

/** A longer command is not said twice. */
const MAX_NAMED = 40;

/** The question in one sentence, and what its default button says. */
export function approvalWords(action: ApprovalAction, detail: ApprovalDetail): { title: string; allow: string } {
  switch (detail.type) {
    case "command": {
      const isShort = detail.command.length <= MAX_NAMED && !detail.command.includes("\n");
      const title = isShort ? t("Run {0}?", exactLine(detail.command)) : t("Run this command?");
      return { title, allow: detail.unsaved === undefined ? t("Run") : t("Save and run") };
    }
    case "edit":
      return { title: editTitle(detail.changes, action), allow: t("Apply") };
    case "read":
      return { title: visibleText(actionTitle(action)), allow: t("Allow") };
    case "other":
      return { title: visibleText(actionTitle(action)), allow: t("Allow") };
  }
}

function editTitle(changes: readonly FileChange[], action: ApprovalAction): string {
  const [first, ...others] = changes;
  // What other tools do to files has a sentence of their own: "Rename a to b in 31 files?"
  if (first === undefined || !["Edit", "Write"].includes(action.toolName)) return visibleText(actionTitle(action));
  if (others.length > 0) return plural(changes.length, "Change 1 file?", "Change {0} files?");
  const path = visibleText(first.path);
  return first.created ? t("Create {0}?", path) : t("Edit {0}?", path);
}

/** Where it happens and why it is asked, in one line that opens. */
export function WhyAsked({ action, detail }: { action: ApprovalAction; detail: ApprovalDetail }) {
  const [open, setOpen] = useState(false);
  const reason = action.reason === undefined ? [] : [visibleText(action.reason)];
  const where = detail.type === "command" ? [t("in {0}", exactLine(detail.cwd))] : [];
  const behind =
    detail.type === "command" && detail.background
      ? [t("It runs until it ends, you stop it, or this window closes.")]
      : [];
  const said = [...where, ...reason];
  if (said.length === 0) return null;
  return (
    <div className="approval-why quiet">
      <Toggle
        open={open}
        className="why-toggle"
        title={open ? t("Show less") : t("Show details")}
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? "chevron-down" : "chevron-right"} />
        <span className={open ? "exact" : "why-line"}>{open ? said[0] : said.join(" · ")}</span>
      </Toggle>
      {open
        ? [...said.slice(1), ...behind].map(line => (
            <p key={line} className="exact">
              {line}
            </p>
          ))
        : null}
    </div>
  );
}

/** What would run, whole. Another text is another element: nothing of it was in sight. */
const Exact = ({ text }: { text: Shown }) => (
  <pre key={text} className="command-text" {...TO_SEE}>
    {text}
  </pre>
);

/** In the diff editor the proposal can be changed before it is allowed; one of a notebook can only be read. */
function OpenDiff({ approvalId, path }: { approvalId: string; path: string }) {
  const panel = usePanel();
  const title = path.endsWith(".ipynb")
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
