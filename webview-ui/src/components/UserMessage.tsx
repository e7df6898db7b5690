import type { ReactNode } from "react";
import { attachedAs, attachmentKind, attachments } from "../../../src/shared/mentions/attachments";
import type { Mention } from "../../../src/shared/mentions/parse";
import { isAddress } from "../../../src/shared/mentions/parse";
import { Icon } from "../controls/controls";
import { sentMentions } from "../mentions/chips";
import { usePanel, usePanelState } from "../panel/hooks";
import { isSummarised } from "../store/compactions";
import type { MessageAttachment, UserItem } from "../store/state";
import { BranchSwitch, RewindHere } from "./Rewind";

/** What the user wrote, as typed; mentions open what they name. */
export function UserMessage({ item }: { item: UserItem }) {
  return (
    <div className="user">
      {item.steer ? <span className="visually-hidden">Sent while working: </span> : null}
      <div className="user-text">{withMentions(item)}</div>
      {item.files.map(file => (
        <span key={file} className="chip">
          <Icon name="file-media" /> {file}
        </span>
      ))}
      {item.attachments.map(attached => (
        <AttachedLine key={attached.messageId} attached={attached} />
      ))}
      {item.steer ? null : <Pin turn={item.turn} />}
      {item.steer ? null : <RewindHere item={item} />}
      <BranchSwitch messageId={item.key} />
    </div>
  );
}

/** What went out with the message beside its words; a click shows all that was sent. */
function AttachedLine({ attached: { messageId, name, title, empty } }: { attached: MessageAttachment }) {
  const panel = usePanel();
  if (empty) return <p className="attached quiet">{`Nothing attached for ${attachedAs(name)}. ${title}`}</p>;
  return (
    <button
      type="button"
      className="attached link"
      title={`Show what was sent for @${name}`}
      onClick={() => panel.ask("openAttachment", { messageId })}
    >
      <Icon name="link" /> <span className="attached-title">Attached: {title}</span>
    </button>
  );
}

/** Whether compactions leave this round as it is. Nothing where a summary has its place already. */
function Pin({ turn }: { turn: number }) {
  const panel = usePanel();
  const pinned = usePanelState(state => state.session.pins.includes(turn));
  const possible = usePanelState(({ session }) => !session.readOnly && !isSummarised(session, turn));
  if (!possible) return null;
  // One element for both: the focus stays on it.
  return (
    <button
      type="button"
      className={pinned ? "pinned" : "icon-button pin"}
      aria-label={pinned ? "Unpin this turn" : "Pin this turn"}
      title={pinned ? "Unpin: let compactions summarise this turn" : "Pin: keep this turn word for word"}
      onClick={() => panel.ask("pin", { turn, pinned: !pinned })}
    >
      {pinned ? (
        <>
          <Icon name="pinned" /> Pinned: kept word for word
        </>
      ) : (
        <Icon name="pin" />
      )}
    </button>
  );
}

function withMentions({ text, found }: UserItem) {
  const pieces: ReactNode[] = [];
  let from = 0;
  for (const mention of sentMentions(text, found)) {
    pieces.push(text.slice(from, mention.start), <MentionView key={mention.start} mention={mention} />);
    from = mention.end;
  }
  pieces.push(text.slice(from));
  return pieces;
}

function MentionView({ mention: { raw, path, range } }: { mention: Mention }) {
  const panel = usePanel();
  const kind = attachmentKind(raw.slice(1));
  if (kind !== undefined || isAddress(path)) {
    return (
      <span className="mention" title={kind && attachments[kind].hint}>
        {raw}
      </span>
    );
  }
  return (
    <button type="button" className="mention" title={`Open ${path}`} onClick={() => panel.openFile(path, range?.first)}>
      {raw}
    </button>
  );
}
