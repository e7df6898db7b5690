import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { plural, t } from "../../../src/shared/l10n";
import { Button } from "../controls/controls";
import { usePanel } from "../panel/hooks";
import type { UserItem } from "../store/state";
import { branchWords, type Preview } from "./Rewind";

interface MessageEditorProps {
  item: UserItem;
  preview: Preview;
  close(): void;
}

/** A message that was sent, to be changed in its place. Sending it goes back to before it; files stay unless somebody says so. */
export function MessageEditor({ item: { turn, text, files: pictures }, preview, close }: MessageEditorProps) {
  const panel = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const [words, setWords] = useState(text);
  const [files, setFiles] = useState(false);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const { current } = box;
    current?.focus({ preventScroll: true });
    current?.setSelectionRange(current.value.length, current.value.length);
    // By then the end is followed no more for what grew here (useFollowing.ts).
    const show = () => current?.scrollIntoView({ block: "nearest" });
    const frame = requestAnimationFrame(() => requestAnimationFrame(show));
    return () => cancelAnimationFrame(frame);
  }, []);
  const send = async () => {
    if (busy || words.trim() === "") return;
    setBusy(true);
    if (!(await panel.talk.resend(turn, words, files))) setBusy(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const sends = event.key === "Enter" && !event.shiftKey && event.target === box.current;
    if (!sends && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (sends) void send();
    else close();
  };
  const count = preview.files.length;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its keys are those of the text box in it
    <div className="message-editor" onKeyDown={onKeyDown}>
      <textarea
        ref={box}
        className="field"
        aria-label={t("Edit your message")}
        value={words}
        rows={Math.min(12, words.split("\n").length + 1)}
        onChange={event => setWords(event.target.value)}
      />
      {count > 0 ? (
        <label className="remember">
          <input type="checkbox" checked={files} onChange={event => setFiles(event.target.checked)} />
          <span title={preview.files.map(({ path }) => path).join("\n")}>
            {plural(count, "Put back 1 file too", "Put back {0} files too")}
          </span>
        </label>
      ) : null}
      {pictures.length > 0 ? <p className="quiet">{t("Pictures are not sent again.")}</p> : null}
      <p className="quiet">{branchWords(preview.turns)}</p>
      <div className="button-row">
        <Button primary aria-disabled={busy || words.trim() === ""} onClick={() => void send()}>
          {t("Send")}
        </Button>
        <Button onClick={close}>{t("Cancel")}</Button>
      </div>
    </div>
  );
}
