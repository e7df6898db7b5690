import { type ComponentProps, type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { withoutPictures, withPictures } from "../../../../src/shared/attachProtocol";
import { t } from "../../../../src/shared/l10n";
import { IconButton, PictureChips } from "../../controls/controls";
import { focusAtEnd, focusComposer, onEscape } from "../../controls/focus";
import { ROVING_ROW, useRoving } from "../../controls/roving";
import { usePanel, usePanelState } from "../../panel/hooks";
import type { WaitingMessage } from "../../store/state";
import { endReason, waitsForModel } from "../../store/status";
import { visibleLine } from "../../text/format";

/** Tells a row that is dragged from all else. */
const DRAGGED = "application/x-strata-message";
const isDragged = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes(DRAGGED);

/**
 * Messages that the model does not have yet: each can be moved, edited or taken back until it does, and sent now. Keys and the
 * mouse move words between places: a place keeps its row, and the focus goes along.
 */
export function PendingList() {
  const panel = usePanel();
  const pending = usePanelState(state => state.session.pending);
  const keys = useRoving<HTMLUListElement>();
  const list = keys.ref;
  /** What waits for the person stays apart from what goes out by itself. */
  const canMove = (from: number, to: number) =>
    from !== to && pending[to] !== undefined && pending[from]?.held === pending[to].held;
  const move = (from: number, to: number) => {
    const [moved] = pending.slice(from, from + 1);
    if (moved === undefined || !canMove(from, to)) return false;
    const alike = pending.filter(({ held }) => held === moved.held);
    const wanted = alike.filter(each => each !== moved);
    wanted.splice(alike.indexOf(pending[to] ?? moved), 0, moved);
    void panel.ask("orderPending", { pendingIds: wanted.map(({ pendingId }) => pendingId) });
    return true;
  };
  const moveByKey = (event: KeyboardEvent, from: number) => {
    const to = event.key === "ArrowUp" ? from - 1 : event.key === "ArrowDown" ? from + 1 : from;
    if (!event.altKey || to === from) return;
    event.preventDefault();
    const row = list.current?.children[from];
    const column = [...(row?.querySelectorAll("button") ?? [])].indexOf(event.target as HTMLButtonElement);
    if (move(from, to)) list.current?.children[to]?.querySelectorAll("button")[Math.max(0, column)]?.focus();
  };
  return (
    <ul className="pending" aria-label={t("Pending messages")} {...keys}>
      {pending.map((message, at) => (
        <PendingRow
          key={message.pendingId}
          message={message}
          movable={canMove(at, at - 1) || canMove(at, at + 1)}
          onKeyDown={event => moveByKey(event, at)}
          onDragStart={event => event.dataTransfer.setData(DRAGGED, String(at))}
          onDragOver={event => isDragged(event) && event.preventDefault()}
          onDrop={event => isDragged(event) && move(Number(event.dataTransfer.getData(DRAGGED)), at)}
        />
      ))}
    </ul>
  );
}

type PendingRowProps = ComponentProps<"li"> & { message: WaitingMessage; movable: boolean };

/** @param movable there is another place for it */
function PendingRow({ message, movable, ...hears }: PendingRowProps) {
  const panel = usePanel();
  const { pendingId, delivery } = message;
  const readOnly = usePanelState(state => state.session.readOnly);
  const [editing, setEditing] = useState(false);
  // Nothing sends it by itself any more: its turn ended otherwise than done, or it could not be sent.
  const held = usePanelState(state => message.held || state.session.run === "idle");
  const { waits, byHand, label } = usePendingLabel(message, held);
  const { words, names } = withoutPictures(message.text);
  const heldWords = held ? t("The turn ended before this was sent. Send or remove it.") : undefined;
  const sendWords = held ? t("Send pending message") : t("Send now: the agent gets it with its next step");
  if (editing) return <PendingEditor message={message} close={() => setEditing(false)} />;
  const send = () => panel.ask("sendPending", { pendingId });
  const remove = () => panel.ask("removePending", { pendingId });
  return (
    <li className="pending-row" draggable={movable && !readOnly} {...ROVING_ROW} {...hears}>
      {label === "" ? null : (
        <span className="pending-label" title={heldWords}>
          {label}
        </span>
      )}
      <span className="pending-text cut" title={words}>
        {waits ? words : visibleLine(words)}
        <PictureChips names={names} />
      </span>
      {readOnly ? null : (
        <>
          {movable ? (
            <IconButton
              icon="gripper"
              label={t("Move: drag it, or press Alt+Up or Alt+Down")}
              aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
            />
          ) : null}
          {!waits && (held || (delivery === "queue" && !byHand)) ? (
            <IconButton icon="send" label={sendWords} onClick={send} />
          ) : null}
          <IconButton icon="edit" label={t("Edit pending message")} onClick={() => setEditing(true)} />
          <IconButton icon="close" label={t("Remove pending message")} onClick={remove} />
        </>
      )}
    </li>
  );
}

/** When it goes out; "": in its turn, as the list's heading says. */
function usePendingLabel(message: WaitingMessage, held: boolean) {
  // It goes out by itself once a model is there.
  const waits = usePanelState(state => !message.held && waitsForModel(state));
  const stopped = usePanelState(({ session }) => endReason(session) === "stopped");
  const byHand = usePanelState(({ session: { progress } }) => progress?.reason === "manual");
  const label = () => {
    if (waits) return t("Waits for a model");
    if (held) return stopped ? t("Not sent: you stopped") : t("Not sent yet");
    if (byHand) return t("After compacting");
    return message.delivery === "steer" ? t("Next step") : "";
  };
  return { waits, byHand, label: label() };
}

function PendingEditor({ message, close }: { message: WaitingMessage; close: () => void }) {
  const panel = usePanel();
  const [text, setText] = useState(message.text);
  const { words: shown, holders } = withoutPictures(text);
  const unsaved = useRef("");
  unsaved.current = text.trim() === message.text ? "" : text;
  // The model took the message while it was being edited, or another session comes: the words go to the composer, they are not lost.
  useEffect(() => {
    const giveBack = () => {
      if (unsaved.current !== "") panel.compose(unsaved.current);
      unsaved.current = "";
    };
    const end = panel.leaving.on(giveBack);
    return () => {
      end();
      giveBack();
    };
  }, [panel]);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => focusAtEnd(box.current), []);
  const { pendingId } = message;
  useEffect(() => {
    void panel.ask("beginEdit", { pendingId });
    return () => void panel.ask("endEdit", { pendingId });
  }, [panel, pendingId]);
  const leave = () => {
    unsaved.current = "";
    close();
    focusComposer();
  };
  const save = async () => {
    const words = text.trim();
    const isSame = words === "" || words === message.text;
    if (isSame || (await panel.ask("editPending", { pendingId, text: words }))) leave();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    onEscape(leave)(event);
    if (event.defaultPrevented || event.nativeEvent.isComposing || event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    void save();
  };
  return (
    <li className="pending-row editing">
      <textarea
        ref={box}
        className="field"
        aria-label={t("Edit pending message")}
        rows={1}
        value={shown}
        onChange={event => setText(withPictures(event.target.value, holders))}
        onKeyDown={onKeyDown}
      />
      <IconButton icon="check" label={t("Save pending message")} onClick={() => void save()} />
      <IconButton icon="close" label={t("Cancel editing")} onClick={leave} />
    </li>
  );
}
