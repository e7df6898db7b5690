import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { PanelResult } from "../../../src/shared/panelProtocol";
import type { Forks } from "../../../src/shared/panelSnapshot";
import { rewindWords } from "../../../src/shared/rewindWords";
import { Button, Icon, LinkButton } from "../controls/controls";
import { usePanel, usePanelState } from "../panel/hooks";
import type { ItemOf, UserItem } from "../store/state";
import { count } from "../text/format";

/** That files or the conversation went back, with the way back from there. */
export function RewindMark({ item: { record } }: { item: ItemOf<"rewind"> }) {
  const panel = usePanel();
  const { turn, cutOff, stayed = [], rewindId } = record;
  const canUndo = usePanelState(
    ({ session }) => session.run === "idle" && !session.readOnly && session.rewound === rewindId,
  );
  // Another branch was gone over to: its messages say so.
  if (turn === 0) return null;
  return (
    <div className={`note rewound ${cutOff ? "warning" : "info"}`}>
      <Icon name="discard" />
      <div className="note-text">
        {rewindWords(record)}{" "}
        {canUndo ? (
          <LinkButton onClick={() => panel.ask("undoRewind", { rewindId })}>Undo the rewind</LinkButton>
        ) : null}
        {stayed.map(line => (
          <p key={line} className="quiet">
            {line}
          </p>
        ))}
      </div>
    </div>
  );
}

type Preview = PanelResult<"previewRewind">;
type RewindScope = "files" | "conversation" | "both";

/** Back to before this message: first what that would do, then which of it. */
export function RewindHere({ item: { turn, text } }: { item: UserItem }) {
  const panel = usePanel();
  const possible = usePanelState(({ session }) => session.run === "idle" && !session.readOnly);
  const [preview, setPreview] = useState<Preview | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  if (!possible) return null;
  const close = () => {
    setPreview(null);
    button.current?.focus({ preventScroll: true });
  };
  const look = async () => setPreview(preview ? null : ((await panel.ask("previewRewind", { turn })) ?? null));
  const rewind = async (what: RewindScope) => {
    close();
    // What was said there can be said otherwise.
    if ((await panel.ask("rewind", { turn, what })) !== undefined && what !== "files") panel.compose(text);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="icon-button pin rewind"
        aria-label="Rewind to here"
        aria-expanded={preview !== null}
        title="Go back to here…"
        onClick={look}
      >
        <Icon name="discard" />
      </button>
      {preview === null ? null : <RewindPreview preview={preview} rewind={rewind} close={close} />}
    </>
  );
}

const signs = { changed: "diff-modified", created: "diff-added", deleted: "diff-removed" };
const words = { changed: "goes back", created: "comes back", deleted: "is deleted" };

function RewindPreview({
  preview: { turn, turns, files, stays, gaps },
  rewind,
  close,
}: {
  preview: Preview;
  rewind(what: RewindScope): void;
  close(): void;
}) {
  const box = useRef<HTMLElement>(null);
  // It is read, and its keys are at hand, once it is there.
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.key !== "Escape") return;
    event.stopPropagation();
    close();
  };
  return (
    <section
      ref={box}
      className="rewind-preview"
      aria-label={`Rewind to before turn ${turn}`}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <p>
        {files.length === 0 ? "No files would change." : `${count(files.length, "file")} would change.`}{" "}
        {count(turns, "turn moves", "turns move")} to another branch. You can return.
      </p>
      <ul>
        {files.map(({ uri, path, becomes, merged, during }) => (
          <li key={uri}>
            <Icon name={signs[becomes]} /> {path}
            <span className="quiet">
              {" "}
              {words[becomes]}
              {merged ? "; later changes stay" : ""}
              {during === undefined ? null : (
                <>
                  ; made while this ran: <code>{during}</code>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {[...stays, ...gaps].map(line => (
        <p key={line} className="quiet">
          <Icon name="info" /> {line}
        </p>
      ))}
      <div className="buttons">
        <Button onClick={() => rewind("both")}>Files and conversation</Button>
        <Button onClick={() => rewind("files")}>Files only</Button>
        <Button onClick={() => rewind("conversation")}>Conversation only</Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </section>
  );
}

/** Where the conversation forked: one click to the other branch. */
export function BranchSwitch({ messageId }: { messageId: string }) {
  const fork = usePanelState(({ session }) => session.forks.find(each => each.messageId === messageId));
  const idle = usePanelState(({ session }) => session.run === "idle" && !session.readOnly);
  if (!fork) return null;
  return <Branches fork={fork} idle={idle} />;
}

function Branches({ fork: { tips, current }, idle }: { fork: Forks[number]; idle: boolean }) {
  const panel = usePanel();
  const box = useRef<HTMLDivElement>(null);
  // The buttons that were pressed went with their branch: the focus is here now.
  useEffect(() => {
    const way = panel.branchShown(current, tips.length);
    if (way) box.current?.querySelector<HTMLElement>(`[data-way=${way}]`)?.focus({ preventScroll: true });
  }, [panel, current, tips.length]);
  const arrow = (way: "previous" | "next", at: number) => (
    <button
      type="button"
      className="icon-button"
      data-way={way}
      aria-label={way === "previous" ? "Previous branch" : "Next branch"}
      // Disabled it would lose the focus.
      aria-disabled={!idle || tips[at] === undefined}
      onClick={() => void (idle && tips[at] !== undefined && panel.switchBranch(tips, at, way))}
    >
      <Icon name={way === "previous" ? "chevron-left" : "chevron-right"} />
    </button>
  );
  return (
    <div ref={box} className="branches">
      {arrow("previous", current - 1)}
      <span>{`Branch ${current + 1} of ${tips.length}`}</span>
      {arrow("next", current + 1)}
    </div>
  );
}
