import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { attachmentHint, withoutPictures, withPictures } from "../../../../src/shared/attachProtocol";
import { plural, t } from "../../../../src/shared/l10n";
import { attachedAs, attachmentKind, isAddress, type Mention } from "../../../../src/shared/mentions/parse";
import { deniedName, takenBack } from "../../../../src/shared/outcomeSaid";
import { Button, Gutter, Icon, IconButton, LinkButton, PictureChips, useBusy, useCopy } from "../../controls/controls";
import { focusAtEnd, onEscape } from "../../controls/focus";
import { sentMentions } from "../../mentions/chips";
import { useListener, usePanel, usePanelState } from "../../panel/hooks";
import { isSummarised } from "../../store/compactions";
import type { MessageAttachment, UserItem } from "../../store/state";
import { visibleText } from "../../text/format";
import { BranchSwitch, branchWords, type Preview, RewindPreview } from "./Rewind";

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
      <Icon name="link" /> <span className="attached-title cut">{t("Attached: {0}", title)}</span>
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

function begin(box: HTMLTextAreaElement | null): void {
  focusAtEnd(box);
  box?.scrollIntoView({ block: "nearest" });
}

type MessageEditorProps = { item: UserItem; preview: Preview; possible: boolean; close(): void };

/**
 * A message that was sent, to be changed in its place. Sending it goes back to before it; files stay unless the box is checked.
 * @param possible the session can go back: nothing runs, and no other window has it
 */
function MessageEditor({ item: { turn, text, pictures }, preview, possible, close }: MessageEditorProps) {
  const panel = usePanel();
  const [whole, setWhole] = useState(() => panel.talk.changedWords(turn) ?? text);
  const { words, holders, names } = withoutPictures(whole, (_, name) => pictures.some(({ path }) => path === name));
  const change = (changed: string, kept: readonly string[]) => {
    setWhole(withPictures(changed, kept));
    panel.talk.keepChanged(turn, withPictures(changed, kept));
  };
  const [files, setFiles] = useState(false);
  const { busy, run } = useBusy(async () => {
    if (await panel.talk.resend(turn, whole.trim(), files)) panel.talk.keepChanged(turn, undefined);
  });
  const canSend = possible && !busy && whole.trim() !== "";
  const send = () => void (canSend && run());
  const cancel = () => {
    panel.talk.keepChanged(turn, undefined);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    onEscape(cancel)(event);
    if (event.key !== "Enter" || event.shiftKey || !(event.target instanceof HTMLTextAreaElement)) return;
    event.preventDefault();
    event.stopPropagation();
    send();
  };
  // In another width all is elsewhere: the words under edit stay in sight.
  useListener("resize", () => document.activeElement?.scrollIntoView({ block: "nearest" }));
  const count = preview.files.length;
  const title = possible ? undefined : t("It can be sent when the turn is over");
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its keys are those of the text box in it
    <div className="message-editor" onKeyDown={onKeyDown}>
      <textarea
        ref={begin}
        className="field"
        aria-label={t("Edit your message")}
        value={words}
        rows={Math.min(12, words.split("\n").length + 1)}
        onChange={event => change(event.target.value, holders)}
      />
      <PictureChips names={names} remove={at => change(words, holders.toSpliced(at, 1))} />
      {count > 0 ? (
        <label className="check-label">
          <input type="checkbox" checked={files} onChange={event => setFiles(event.target.checked)} />
          <span title={preview.files.map(({ path }) => path).join("\n")}>
            {plural(count, "Also put back 1 file", "Also put back {0} files")}
          </span>
        </label>
      ) : null}
      <p className="quiet">{branchWords(preview.turns)}</p>
      <div className="button-row">
        <Button primary aria-disabled={!canSend} title={title} onClick={send}>
          {t("Send")}
        </Button>
        <Button onClick={cancel}>{t("Cancel")}</Button>
      </div>
    </div>
  );
}
