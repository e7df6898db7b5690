import { type KeyboardEvent, useEffect, useRef } from "react";
import { formatCost } from "../../../../src/shared/cost";
import { stateWord } from "../../../../src/shared/entry";
import { plural, t } from "../../../../src/shared/l10n";
import type { DeletedSummary, SessionSummary } from "../../../../src/shared/sessionsProtocol";
import { Icon, LinkButton, Pieces, SPINNER } from "../../controls/controls";
import type { MenuAction } from "../../controls/Popup";
import { MoreMenu } from "../../controls/SplitButton";
import { usePanelState } from "../../panel/hooks";
import { formatWhen } from "../../text/format";
import { markedPieces, type SessionLine } from "../../text/sessionGroups";

/** What can be done with a session of the list. */
export interface SessionDeeds {
  open(id: string): void;
  openTab(id: string): void;
  beginRename(id: string): void;
  /** null: it keeps its name */
  rename(id: string, title: string | null): void;
  pin(id: string, pinned: boolean): void;
  duplicate(id: string): void;
  exportIt(id: string): void;
  remove(session: SessionSummary): void;
  restore(key: string): void;
  purge(key: string): void;
}

interface RowProps {
  line: Extract<SessionLine, { kind: "session" }>;
  query: string;
  renaming: boolean;
  deeds: SessionDeeds;
}

/** One session: its state and name, below that what came of it; in a search the line that was found. */
export function SessionRow({ line: { session, hit }, query, renaming, deeds }: RowProps) {
  const { id, title, running, newer } = session;
  const shown = title || t("Untitled session");
  const current = usePanelState(state => state.session.sessionId === id);
  const waits = usePanelState(state => state.waiting.includes(id));
  const onKeyDown = (event: KeyboardEvent) => {
    const does = { F2: () => deeds.beginRename(id), Delete: () => deeds.remove(session) }[event.key];
    if (does === undefined || event.defaultPrevented) return;
    event.preventDefault();
    does();
  };
  const state = running ? SPINNER : newer ? "warning" : "comment-discussion";
  const icon = <Icon name={waits ? "question" : state} />;
  const open = () => deeds.open(id);
  if (renaming)
    return (
      <div className="session renaming">
        {icon}
        <RenameBox title={title} done={next => deeds.rename(id, next)} />
      </div>
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble up from its buttons
    <div className="session-row" onKeyDown={onKeyDown}>
      <button type="button" className="session" aria-current={current} aria-keyshortcuts="F2 Delete" onClick={open}>
        {icon}
        <span className="session-words">
          <span className="session-title cut" dir="auto" title={title}>
            <Pieces pieces={markedPieces(shown, query)} />
          </span>
          {hit ? (
            <span className="session-facts cut" dir="auto" title={hit.text}>
              <Pieces pieces={markedPieces(hit.text, query)} />
            </span>
          ) : (
            <SessionFacts session={session} waits={waits} />
          )}
        </span>
        {session.pinned ? <Icon name="pinned" /> : null}
      </button>
      <MoreMenu inList label={t("More actions for {0}", shown)} items={actionsOf(session, deeds)} />
    </div>
  );
}

function actionsOf(session: SessionSummary, deeds: SessionDeeds): MenuAction[] {
  const { id, pinned, newer } = session;
  const all: MenuAction[] = [
    { key: "tab", words: t("Open in editor"), run: () => deeds.openTab(id) },
    { key: "rename", words: t("Rename"), keys: "F2", run: () => deeds.beginRename(id) },
    { key: "pin", words: pinned ? t("Unpin") : t("Pin to top"), run: () => deeds.pin(id, !pinned) },
    { key: "duplicate", words: t("Duplicate"), run: () => deeds.duplicate(id) },
    { key: "export", words: t("Export…"), run: () => deeds.exportIt(id) },
    { key: "delete", words: t("Delete"), keys: t("Del"), run: () => deeds.remove(session) },
  ];
  // What a newer version wrote can be deleted here, and no more.
  return newer ? all.filter(({ key }) => key === "delete") : all;
}

/** The age is never cut; what a session asks gives way first. The whole of it is a tooltip. */
function SessionFacts({ session, waits }: { session: SessionSummary; waits: boolean }) {
  const { changes, cost, tasks, turns, updated, running, newer, asks } = session;
  if (newer) return <span className="session-facts cut">{t("Needs a newer version of Strata")}</span>;
  const asked = asks ? t("asks: {0}", asks) : stateWord("waiting");
  const state = waits ? asked : running ? stateWord("running") : undefined;
  const going = tasks && plural(tasks, "1 task running", "{0} tasks running");
  const files = changes && plural(changes.files, "1 file", "{0} files");
  const added = changes?.added && `+${changes.added}`;
  const removed = changes?.removed && `−${changes.removed}`;
  const so = !changes && state === undefined && plural(turns, "1 turn", "{0} turns");
  const price = cost !== undefined && formatCost(cost);
  const when = formatWhen(updated, Date.now());
  const changed = files && [files, added, removed].filter(Boolean).join(" ");
  return (
    <span
      className="session-facts parts cut"
      title={[state, going, changed, so, price, when].filter(Boolean).join(" · ")}
    >
      {state && <strong>{state}</strong>}
      {going ? <span>{going}</span> : null}
      {changed && (
        <span>
          <span className="session-files">{files} </span>
          {added ? <span className="added">{added}</span> : null}
          {removed ? <span className="removed"> {removed}</span> : null}
        </span>
      )}
      {so && <span>{so}</span>}
      {price && <span>{price}</span>}
      <span className="session-age">{when}</span>
    </span>
  );
}

/** Enter and a click elsewhere keep what stands there, Escape does not. */
function RenameBox({ title, done }: { title: string; done: (title: string | null) => void }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.select(), []);
  const ended = useRef(false);
  const end = (next: string | null) => {
    if (!ended.current) done(next === null || next.trim() === "" || next.trim() === title ? null : next.trim());
    ended.current = true;
  };
  return (
    <input
      ref={box}
      className="field"
      dir="auto"
      defaultValue={title}
      aria-label={t("Name of the session")}
      onBlur={event => end(event.currentTarget.value)}
      onKeyDown={event => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter") end(event.currentTarget.value);
        else if (event.key === "Escape") end(null);
        else return event.stopPropagation();
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

/** One in the trash. */
export function DeletedRow({ deleted, deeds }: { deleted: DeletedSummary; deeds: SessionDeeds }) {
  const title = deleted.title || t("Untitled session");
  const restore = () => deeds.restore(deleted.key);
  const items: MenuAction[] = [
    { key: "restore", words: t("Restore"), run: restore },
    { key: "purge", words: t("Delete permanently"), run: () => deeds.purge(deleted.key) },
  ];
  return (
    <div className="session-row">
      <div className="session deleted">
        <Icon name="trash" />
        <span className="session-words">
          <span className="session-title cut" dir="auto" title={title}>
            {title}
          </span>
          <span className="session-facts cut">
            <span>{t("deleted {0}", formatWhen(deleted.deleted, Date.now()))}</span>
            <LinkButton aria-label={t("Restore {0}", title)} onClick={restore}>
              {t("Restore")}
            </LinkButton>
          </span>
        </span>
      </div>
      <MoreMenu inList label={t("More actions for {0}", title)} items={items} />
    </div>
  );
}
