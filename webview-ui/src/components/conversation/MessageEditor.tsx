import { type KeyboardEvent, useState } from "react";
import { withoutPictures, withPictures } from "../../../../src/shared/attachProtocol";
import { plural, t } from "../../../../src/shared/l10n";
import { Button, PictureChips, useBusy } from "../../controls/controls";
import { focusAtEnd, onEscape } from "../../controls/focus";
import { usePanel } from "../../panel/hooks";
import type { UserItem } from "../../store/state";
import { branchWords, type Preview } from "./Rewind";

function begin(box: HTMLTextAreaElement | null): void {
  focusAtEnd(box);
  // By then the end is followed no more for what grew here (useFollowing.ts).
  requestAnimationFrame(() => requestAnimationFrame(() => box?.scrollIntoView({ block: "nearest" })));
}

type MessageEditorProps = { item: UserItem; preview: Preview; possible: boolean; close(): void };

/**
 * A message that was sent, to be changed in its place. Sending it goes back to before it; files stay unless the box is checked.
 * @param possible the session can go back: nothing runs, and no other window has it
 */
export function MessageEditor({ item: { turn, text, pictures }, preview, possible, close }: MessageEditorProps) {
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
