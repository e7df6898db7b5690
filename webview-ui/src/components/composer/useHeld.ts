/** Pictures and pasted texts in the composer: by paste, by drop, by the file picker. */
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useRef, useState } from "react";
import { errorMessage } from "../../../../src/shared/errorMessage";
import { plural, t } from "../../../../src/shared/l10n";
import { mayBegin } from "../../../../src/shared/mentions/parse";
import { pictureFacts } from "../../../../src/shared/pictures";
import { insertAtCursor, replacePasted, replaceText } from "../../mentions/places";
import { type HeldPlace, pictureName } from "../../panel/held";
import { usePanel } from "../../panel/hooks";
import type { Panel } from "../../panel/panel";
import { sizeText } from "../../text/format";

export type TextBox = RefObject<HTMLTextAreaElement | null>;
export type PasteEvent = ClipboardEvent<HTMLTextAreaElement>;

/** A longer paste becomes a chip. */
const LONG_CHARACTERS = 2_000;
const LONG_LINES = 40;
/** A longer one never stands in the box: that would make each key slow. */
const MAX_INLINE = 100_000;
/** The browser takes seconds to put a longer one into the box: it is shown in an editor. */
const MAX_OPENED = 10_000;
/** All that is pasted into a message, characters: no model reads more. */
const MAX_PASTED = 2_000_000;
/** Sentences about files that were left out; the others are counted. */
const MAX_SAID = 4;

export function useHeld(box: TextBox, enabled: boolean) {
  const panel = usePanel();
  const [held, show] = useState<readonly HeldPlace[]>([]);
  const [textChanged] = useState(() => (text: string) => {
    const next = panel.held.in(text);
    show(before => (sameHeld(before, next) ? before : next));
  });
  /** Pictures are read one after the other. */
  const last = useRef<Promise<void>>(Promise.resolve());
  const [addFiles] = useState(() => (files: readonly File[]) => {
    last.current = last.current.then(() => addPictures(panel, files));
  });
  // Ctrl+Shift+V: it stays plain text.
  const plain = useRef(false);
  return {
    held,
    textChanged,
    addFiles,
    /** All that was given is in the text, or was no good. false: another session came, or other words did, which is said */
    async whenRead(): Promise<boolean> {
      const before = written(panel, box);
      await last.current;
      const { sessionId, words } = written(panel, box);
      const isThere = before.sessionId === "" || before.sessionId === sessionId;
      // An empty one went out already.
      if (isThere && (words === before.words || box.current?.value === "")) return true;
      const changed = t("Your message was not sent: it was changed before its pictures were read. Send it again.");
      const left = t("Your message was not sent: you went to another session before its pictures were read.");
      panel.say(isThere ? changed : left);
      return false;
    },
    remove({ raw, thing }: HeldPlace) {
      if (thing.kind === "picture") panel.held.detach(raw);
      else replaceIn(box.current, raw, "");
    },
    /** A long text comes into the box, a very long one into an editor. */
    open({ raw, thing }: HeldPlace) {
      if (thing.kind !== "text") return;
      if (opensInBox(thing)) replaceIn(box.current, raw, thing.text);
      else void panel.ask("openAnswer", { markdown: thing.text, pasted: true });
    },
    onKeyDown({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent) {
      plain.current = key.toLowerCase() === "v" && shiftKey && (ctrlKey || metaKey);
    },
    /** true: nothing else is to be made of it */
    onPaste(event: PasteEvent): boolean {
      if (!enabled) return false;
      const { clipboardData } = event;
      const text = clipboardData.getData("text/plain").replaceAll("\r\n", "\n");
      const files = [...clipboardData.files];
      // Programs copy a picture of their text beside it.
      if (files.length > 0 && text === "") {
        event.preventDefault();
        addFiles(files);
        return true;
      }
      const isPlain = plain.current;
      plain.current = false;
      return pasteText(panel, box, event, text, isPlain);
    },
  };
}

export const opensInBox = ({ text }: { text: string }) => text.length <= MAX_OPENED;

const isLong = (text: string) => text.length > LONG_CHARACTERS || text.split("\n", LONG_LINES + 1).length > LONG_LINES;

function pasteText(panel: Panel, box: TextBox, event: PasteEvent, text: string, isPlain: boolean): boolean {
  if (isPlain && text.length <= MAX_INLINE) return true;
  // What becomes a chip must fit beside the others.
  const size = text.length + (isLong(text) ? panel.held.sizeIn(box.current?.value ?? "") : 0);
  if (size > MAX_PASTED) {
    event.preventDefault();
    panel.say(t("The text is too long to paste ({0}). Save it as a file, and mention that with @.", sizeText(size)));
    return true;
  }
  const mayBeCode = event.clipboardData.types.includes("vscode-editor-data") && text.includes("\n");
  if (text.length > MAX_INLINE) {
    event.preventDefault();
    insertAtCursor(event.currentTarget, panel.held.hold({ kind: "text", text }));
    return true;
  }
  if (!isLong(text) && !mayBeCode) return false;
  // It lands unchanged, so that one undo brings it back.
  const landed = { pasted: text, start: event.currentTarget.selectionStart };
  const replace = async () => {
    // The browser's own paste is done by then.
    await new Promise(resolve => setTimeout(resolve, 0));
    const copied = mayBeCode ? await panel.askQuietly("copiedFrom", { text }) : undefined;
    if (box.current === null) return;
    if (copied?.mention) {
      if (mayBegin(box.current.value, landed.start)) replacePasted(box.current, landed, `${copied.mention} `);
    } else if (isLong(text)) replacePasted(box.current, landed, panel.held.hold({ kind: "text", text }));
  };
  void replace();
  return true;
}

function replaceIn(box: HTMLTextAreaElement | null, raw: string, text: string): void {
  const start = box?.value.indexOf(raw) ?? -1;
  if (box === null || start < 0) return;
  const blank = text === "" && box.value.charAt(start + raw.length) === " " ? 1 : 0;
  replaceText(box, start, start + raw.length + blank, text);
}

const sameHeld = (one: readonly HeldPlace[], other: readonly HeldPlace[]) =>
  one.length === other.length && one.every(({ raw, thing }, at) => raw === other[at]?.raw && thing === other[at].thing);

function written(panel: Panel, box: TextBox) {
  return { sessionId: panel.store.get().session.sessionId, words: box.current?.value.trim() };
}

/** Each is attached once it was read; what is no good is said. */
async function addPictures(panel: Panel, files: readonly File[]): Promise<void> {
  const sessionId = () => panel.store.get().session.sessionId;
  const before = sessionId();
  const taken = files.slice(0, Math.max(0, MAX_PICTURES - panel.held.pictures));
  const problems = taken.length < files.length ? [tooManyPictures(files.length - taken.length)] : [];
  for (const file of taken) {
    const read = await keepPicture(panel, file).catch(errorMessage);
    if (typeof read === "string") problems.push(read);
    // Its file is in the session that it was given to.
    else if (before !== "" && before !== sessionId()) problems.push(t("{0} could not be read.", read.picture.path));
    else panel.held.attach(read);
  }
  const more = problems.length - MAX_SAID;
  if (problems.length > 0)
    panel.say([...problems.slice(0, MAX_SAID), ...(more > 0 ? [t("And {0} more.", more)] : [])].join("\n"));
}

// Files that become pictures: what is wrong with one is a sentence, before anything is sent anywhere.

/** in one message */
const MAX_PICTURES = 20;
/** bytes */
const MAX_BYTES = 20_000_000;
/** px */
const THUMB = 48;

const tooManyPictures = (left: number) =>
  plural(
    left,
    "1 picture was left out: a message takes 20. Send the others with the next one.",
    "{0} pictures were left out: a message takes 20. Send the others with the next one.",
  );

/** Base64, a piece at a time: the whole would be too many arguments. */
function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x80_00) text += String.fromCharCode(...bytes.subarray(at, at + 0x80_00));
  return btoa(text);
}

/** A small copy, as a data URL; "" where the page cannot draw it. */
async function thumbOf(file: Blob): Promise<string> {
  const image = await createImageBitmap(file).catch(() => undefined);
  if (image === undefined) return "";
  const scale = Math.min(1, (2 * THUMB) / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  return canvas.toDataURL("image/webp", 0.7);
}

/** Reads it and has it kept for a message. Rejects with why not. */
async function keepPicture(panel: Panel, file: File) {
  const name = pictureName(file.name);
  const large = t("{0} is too large ({1}). A picture may have {2}.", name, sizeText(file.size), sizeText(MAX_BYTES));
  if (file.size > MAX_BYTES) throw new Error(large);
  // A folder that was dropped, or a file that went meanwhile.
  const buffer = await file.arrayBuffer().catch(() => undefined);
  if (buffer === undefined) throw new Error(t("{0} could not be read.", name));
  const bytes = new Uint8Array(buffer);
  const none = t("{0} can't be used: it is no whole PNG, JPEG, GIF or WebP picture.", name);
  if (!pictureFacts(bytes)) throw new Error(none);
  const picture = await panel.request("keepPicture", { name, base64: toBase64(bytes) });
  return { kind: "picture" as const, picture, thumb: await thumbOf(file) };
}
