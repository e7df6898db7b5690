import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { attachmentHint, withoutPictures } from "../../../../src/shared/attachProtocol";
import { t } from "../../../../src/shared/l10n";
import { attachedAs, attachmentKind, isAddress, type Mention } from "../../../../src/shared/mentions/parse";
import { deniedName, takenBack } from "../../../../src/shared/outcomeSaid";
import { Icon, IconButton, LinkButton, PictureChips, useCopy } from "../../controls/controls";
import { Gutter } from "../../controls/Gutter";
import { sentMentions } from "../../mentions/chips";
import { usePanel, usePanelState } from "../../panel/hooks";
import { isSummarised } from "../../store/compactions";
import type { MessageAttachment, UserItem } from "../../store/state";
import { visibleText } from "../../text/format";
import { MessageEditor } from "./MessageEditor";
import { BranchSwitch, type Preview, RewindPreview } from "./Rewind";

/** In the message's place, or below it. */
type OpenedPart = { as: "editor" | "rewind"; preview: Preview };

/** What the user wrote, as typed; mentions open what they name. */
export function UserMessage({ item }: { item: UserItem }) {
  const panel = usePanel();
  const { turn, steer, text } = item;
  const [opened, setOpened] = useState<OpenedPart | null>(null);
  const isCarryOut = usePanelState(({ session }) => !steer && session.carriedOut.includes(turn));
  const possible = usePanelState(({ session }) => !steer && session.run === "idle" && !session.readOnly);
  const editor = useRef<HTMLButtonElement>(null);
  const rewind = useRef<HTMLButtonElement>(null);
  // Words under edit stay when a turn begins meanwhile.
  const shown = possible || opened?.as === "editor" ? opened : null;
  const open = useCallback(
    async (as: OpenedPart["as"]) => {
      const preview = await panel.ask("previewRewind", { turn });
      setOpened(preview ? { as, preview } : null);
    },
    [panel, turn],
  );
  useEffect(
    () => (steer ? undefined : panel.talk.onEdit(asked => asked === turn && void open("editor"))),
    [panel, turn, steer, open],
  );
  const isEdited = shown?.as === "editor";
  const isRewound = shown?.as === "rewind";
  const [editWords, backWords] = [t("Edit and send again"), t("Go back to here…")];
  const edit = () => open("editor");
  const goBack = () => (isRewound ? close() : open("rewind"));
  const close = () => {
    // The button can have the focus once it is there again.
    flushSync(() => setOpened(null));
    (opened?.as === "rewind" ? rewind : editor).current?.focus({ preventScroll: true });
  };
  const unsaid = isCarryOut ? " unsaid" : "";
  const heading = steer ? {} : { role: "heading", "aria-level": 2 };
  return (
    <div className={isEdited ? "user editing" : `user${unsaid} with-gutter`} data-item={item.key}>
      {steer ? <span className="visually-hidden">{t("Sent while working:")} </span> : null}
      {isEdited ? (
        <>
          <h2 className="visually-hidden">{editWords}</h2>
          <MessageEditor item={item} preview={shown.preview} possible={possible} close={close} />
        </>
      ) : (
        // Screen readers go from turn to turn by headings. Of a plan that is carried out its box tells.
        <div className={isCarryOut ? "visually-hidden" : "user-text"} {...heading}>
          {withMentions(item)}
        </div>
      )}
      {isEdited ? null : <PictureChips names={item.pictures.map(({ path }) => path)} />}
      {item.attachments.map(attached => (
        <AttachedLine key={attached.messageId} attached={attached} />
      ))}
      <PinnedLine turn={turn} steer={steer} />
      <LiftOffer item={item} />
      <Gutter label={t("Your message")}>
        {possible && <IconButton ref={editor} icon="edit" label={editWords} aria-expanded={false} onClick={edit} />}
        <CopyMessage text={text} />
        {possible && (
          <IconButton ref={rewind} icon="discard" label={backWords} aria-expanded={isRewound} onClick={goBack} />
        )}
        {steer ? null : <Pin turn={turn} />}
      </Gutter>
      {isRewound ? <RewindPreview preview={shown.preview} text={text} close={close} /> : null}
      <BranchSwitch messageId={item.key} />
    </div>
  );
}

const CopyMessage = ({ text }: { text: string }) => <IconButton {...useCopy(t("Copy"), () => text)} />;

/** What went out with the message beside its words; a click shows all that was sent. */
function AttachedLine({ attached: { messageId, name, title, empty } }: { attached: MessageAttachment }) {
  const panel = usePanel();
  if (empty) return <p className="attached quiet">{t("Nothing attached for {0}. {1}", attachedAs(name), title)}</p>;
  const show = () => panel.ask("openAttachment", { messageId });
  return (
    <button type="button" className="attached link" title={t("Show what was sent for @{0}", name)} onClick={show}>
      <Icon name="link" /> <span className="attached-title">{t("Attached: {0}", title)}</span>
    </button>
  );
}

/** Whether compactions leave this round alone. Nothing where a summary has its place already. */
function Pin({ turn }: { turn: number }) {
  const panel = usePanel();
  const pinned = usePanelState(state => state.session.pins.includes(turn));
  const possible = usePanelState(({ session }) => !session.readOnly && !isSummarised(session, turn));
  if (!possible) return null;
  return (
    <IconButton
      icon={pinned ? "pinned" : "pin"}
      label={pinned ? t("Unpin this turn") : t("Pin this turn")}
      title={pinned ? t("Unpin: compaction may summarise this turn") : t("Pin: keep this turn word for word")}
      onClick={() => panel.ask("pin", { turn, pinned: !pinned })}
    />
  );
}

function PinnedLine({ turn, steer }: { turn: number; steer: boolean }) {
  const pinned = usePanelState(state => !steer && state.session.pins.includes(turn));
  if (!pinned) return null;
  return (
    <p className="pinned quiet">
      <Icon name="pinned" /> {t("Pinned: kept word for word")}
    </p>
  );
}

/** The newest message plainly takes a no back: one click does. */
function LiftOffer({ item }: { item: UserItem }) {
  const panel = usePanel();
  const denial = usePanelState(({ session: { denials, items, readOnly } }) => {
    if (denials.length === 0 || readOnly || items.findLast(({ kind }) => kind === "user") !== item) return undefined;
    return takenBack(
      item.text,
      denials.filter(({ ts }) => ts < item.ts),
    );
  });
  if (denial === undefined) return null;
  const lift = () => panel.ask("lift", { which: denial.denialId, by: "message" });
  return (
    <p className="quiet">
      <LinkButton onClick={lift}>{t("Lift the no to {0}?", visibleText(deniedName(denial)))}</LinkButton>
    </p>
  );
}

function withMentions({ text: whole, pictures, found }: UserItem) {
  const { words: text } = withoutPictures(whole, (_, name) => pictures.some(({ path }) => path === name));
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
      <span className="mention" title={kind && attachmentHint(kind)}>
        {raw}
      </span>
    );
  }
  const show = () => panel.openFile(path, range?.first);
  return (
    <button type="button" className="mention" title={t("Open {0}", path)} onClick={show}>
      {raw}
    </button>
  );
}
