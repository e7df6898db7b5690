import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { t } from "../../../src/shared/l10n";
import { IconButton } from "../controls/controls";
import { focusComposer } from "../controls/focus";
import { usePanel, usePanelState } from "../panel/hooks";
import { find } from "../store/chunks";
import { underWay } from "../store/compactions";
import type { EndItem, SessionView, WaitingMessage } from "../store/state";

const delivery: Record<WaitingMessage["delivery"], string> = { steer: "Next step", queue: "Queued" };

/** Messages that the model does not have yet: each can be edited or taken back until it does, and sent where it is held. */
export function PendingList() {
  const pending = usePanelState(state => state.session.pending);
  if (pending.length === 0) return null;
  return (
    <ul className="pending" aria-label="Pending messages">
      {pending.map(message => (
        <PendingRow key={message.pendingId} message={message} />
      ))}
    </ul>
  );
}

function PendingRow({ message }: { message: WaitingMessage }) {
  const panel = usePanel();
  const { pendingId } = message;
  const readOnly = usePanelState(state => state.session.readOnly);
  const [editing, setEditing] = useState(false);
  // Nothing sends it by itself any more: its turn ended otherwise than done, or it could not be sent.
  const held = usePanelState(state => message.held || state.session.run === "idle");
  // It goes out by itself once a model is there.
  const waits = usePanelState(
    ({ session, surroundings }) => !message.held && session.run === "idle" && surroundings?.model.state === "none",
  );
  const stopped = usePanelState(({ session }) => endReason(session) === "stopped");
  const byHand = usePanelState(({ session: { progress } }) => underWay(progress) && progress.reason === "manual");
  if (editing) return <PendingEditor message={message} close={() => setEditing(false)} />;
  return (
    <li className="pending-row">
      <span
        className="pending-label"
        title={held ? "The turn ended before this was sent. Send or remove it." : undefined}
      >
        {waits
          ? t("Waits for a model")
          : held
            ? stopped
              ? "Not sent: you stopped"
              : "Not sent yet"
            : byHand
              ? "After compacting"
              : delivery[message.delivery]}
      </span>
      <span className="pending-text" title={message.text}>
        {message.text}
      </span>
      {readOnly ? null : (
        <>
          {held && !waits ? (
            <IconButton
              icon="send"
              label="Send pending message"
              onClick={() => panel.ask("sendPending", { pendingId })}
            />
          ) : null}
          <IconButton icon="edit" label="Edit pending message" onClick={() => setEditing(true)} />
          <IconButton
            icon="close"
            label="Remove pending message"
            onClick={() => panel.ask("removePending", { pendingId })}
          />
        </>
      )}
    </li>
  );
}

/** How the newest turn ended. */
function endReason({ ends, turn, chunks }: SessionView): EndItem["reason"] | undefined {
  const end = ends[turn] === undefined ? undefined : find(chunks, ends[turn]);
  return end?.kind === "end" ? end.reason : undefined;
}

function PendingEditor({ message, close }: { message: WaitingMessage; close: () => void }) {
  const panel = usePanel();
  const [text, setText] = useState(message.text);
  const unsaved = useRef("");
  unsaved.current = text.trim() === message.text ? "" : text;
  // the model took the message while it was being edited: the words go to the composer, they are not lost
  useEffect(() => () => void (unsaved.current === "" || panel.compose(unsaved.current)), [panel]);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    box.current?.focus();
    box.current?.setSelectionRange(box.current.value.length, box.current.value.length);
  }, []);
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
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void save();
    }
    if (event.key === "Escape") {
      event.stopPropagation();
      leave();
    }
  };
  return (
    <li className="pending-row editing">
      <textarea
        ref={box}
        className="field"
        aria-label="Edit pending message"
        rows={1}
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <IconButton icon="check" label="Save pending message" onClick={() => void save()} />
      <IconButton icon="close" label="Cancel editing" onClick={leave} />
    </li>
  );
}
