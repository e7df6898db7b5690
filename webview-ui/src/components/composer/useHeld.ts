/** Pictures and pasted texts in the composer: by paste, by drop, by the file picker. */
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { errorMessage } from "../../../../src/shared/errorMessage";
import { t } from "../../../../src/shared/l10n";
import { mayBegin } from "../../../../src/shared/mentions/parse";
import {
  MAX_PICTURES,
  pickPictures,
  readPicture,
  thumbOf,
  toBase64,
  tooManyPictures,
} from "../../mentions/pictureFiles";
import { insertAtCursor, replaceText } from "../../mentions/places";
import { type HeldPlace, pictureName } from "../../panel/held";
import { usePanel } from "../../panel/hooks";
import type { Panel } from "../../panel/panel";
import { sizeText } from "../../text/format";

export type TextBox = RefObject<HTMLTextAreaElement | null>;

/** A longer paste becomes a chip. */
const LONG_CHARACTERS = 2_000;
const LONG_LINES = 40;
/** A longer one never stands in the box: that would make each key slow. */
const MAX_INLINE = 100_000;
/** The browser takes seconds to put a longer one into the box: it is shown in an editor. */
const MAX_OPENED = 10_000;
/** No model reads more of a message. */
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
  const [adding] = useState(() => new PictureAdding(panel, box, () => textChanged(box.current?.value ?? "")));
  useEffect(() => panel.held.onTaken(() => textChanged(box.current?.value ?? "")), [panel, box, textChanged]);
  // Ctrl+Shift+V: it stays as it is.
  const plain = useRef(false);
  useEffect(() => panel.onFilesAsked(() => pickPictures(files => adding.add(files))), [panel, adding]);
  return {
    held,
    textChanged,
    addFiles: (files: readonly File[]) => adding.add(files),
    remove({ raw }: Pick<HeldPlace, "raw">) {
      replaceIn(box.current, raw, "");
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
    onPaste(event: ClipboardEvent<HTMLTextAreaElement>): boolean {
      if (!enabled) return false;
      const { clipboardData } = event;
      const text = clipboardData.getData("text/plain").replaceAll("\r\n", "\n");
      const files = [...clipboardData.files];
      // Programs copy a picture of their text beside it.
      if (files.length > 0 && text === "") {
        event.preventDefault();
        adding.add(files);
        return true;
      }
      const isPlain = plain.current;
      plain.current = false;
      return pasteText(panel, box, event, {
        text,
        isPlain,
        isCode: clipboardData.types.includes("vscode-editor-data"),
      });
    },
  };
}

export const opensInBox = ({ text }: { text: string }) => text.length <= MAX_OPENED;

const isLong = (text: string) => text.length > LONG_CHARACTERS || text.split("\n", LONG_LINES + 1).length > LONG_LINES;

function pasteText(
  panel: Panel,
  box: TextBox,
  event: ClipboardEvent<HTMLTextAreaElement>,
  { text, isPlain, isCode }: { text: string; isPlain: boolean; isCode: boolean },
): boolean {
  if (text.length > MAX_PASTED) {
    event.preventDefault();
    panel.say(
      t("The text is too long to paste ({0}). Save it as a file, and mention that with @.", sizeText(text.length)),
    );
    return true;
  }
  const together = isPlain && text.length <= MAX_INLINE ? 0 : tooLong(panel, box, text);
  if (together > 0) {
    event.preventDefault();
    panel.say(
      t(
        "The pasted texts are too long together ({0}). Save this one as a file, and mention that with @.",
        sizeText(together),
      ),
    );
    return true;
  }
  const mayBeCode = isCode && !isPlain && text.includes("\n");
  if (text.length > MAX_INLINE) {
    event.preventDefault();
    const { currentTarget } = event;
    insertAtCursor(currentTarget, panel.held.hold({ kind: "text", text }));
    return true;
  }
  if (isPlain || !(isLong(text) || mayBeCode)) return isPlain;
  // It lands as it is, so that one undo brings it back.
  const start = event.currentTarget.selectionStart;
  const into = async () => {
    const mention = mayBeCode ? await panel.copiedFrom(text) : undefined;
    if (mention !== undefined) return { text: `${mention} `, isMention: true };
    return isLong(text) ? { text: panel.held.hold({ kind: "text", text }), isMention: false } : undefined;
  };
  void afterPaste()
    .then(into)
    .then(next => next && replaceLanded(box.current, { text, start }, next));
  return true;
}

/** What becomes a chip must fit beside the others. */
const tooLong = (panel: Panel, box: TextBox, text: string) =>
  isLong(text) ? panel.held.tooLongWith(box.current?.value ?? "", text) : 0;

/** The browser's own paste is done by then. */
const afterPaste = () => new Promise<void>(resolve => setTimeout(resolve, 0));

/** Nothing where something else was done meanwhile. */
function replaceLanded(
  box: HTMLTextAreaElement | null,
  { text, start }: { text: string; start: number },
  next: { text: string; isMention: boolean },
): void {
  const end = start + text.length;
  if (box?.value.slice(start, end) !== text || (next.isMention && !mayBegin(box.value, start))) return;
  const { selectionStart: from, selectionEnd: to } = box;
  replaceText(box, start, end, next.text);
  const moved = (offset: number) => (offset >= end ? offset + next.text.length - text.length : offset);
  box.setSelectionRange(moved(from), moved(to));
}

function replaceIn(box: HTMLTextAreaElement | null, raw: string, text: string): void {
  const start = box?.value.indexOf(raw) ?? -1;
  if (box === null || start < 0) return;
  const blank = text === "" && box.value.charAt(start + raw.length) === " " ? 1 : 0;
  replaceText(box, start, start + raw.length + blank, text);
}

/** Where a picture was to stand that is none. The caret stays, and so does the focus. */
function takeOut(box: HTMLTextAreaElement | null, raw: string): void {
  const start = box?.value.indexOf(raw) ?? -1;
  if (box === null || start < 0) return;
  const { selectionStart: from, selectionEnd: to, value } = box;
  const focused = document.activeElement;
  replaceIn(box, raw, "");
  const cut = value.length - box.value.length;
  const moved = (offset: number) => (offset > start ? Math.max(start, offset - cut) : offset);
  box.setSelectionRange(moved(from), moved(to));
  if (focused instanceof HTMLElement && focused !== document.body) focused.focus({ preventScroll: true });
}

const sameHeld = (one: readonly HeldPlace[], other: readonly HeldPlace[]) =>
  one.length === other.length && one.every(({ raw, thing }, at) => raw === other[at]?.raw && thing === other[at].thing);

/** Pictures stand in the text at once, in the order in which they were given, and are read one after the other. */
class PictureAdding {
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly panel: Panel,
    private readonly box: TextBox,
    /** the text is as it was, what a place holder stands for is not */
    private readonly changed: () => void,
  ) {}

  add(files: readonly File[]): void {
    const box = this.box.current;
    if (box === null) return;
    const taken = files.slice(0, Math.max(0, MAX_PICTURES - this.#count));
    const reading = taken.map(file => this.#begin(file));
    const places = reading.map(({ raw }) => `${raw} `).join("");
    if (places !== "") insertAtCursor(box, places);
    void Promise.all(reading.map(({ why }) => why)).then(whys => this.#say(whys, files.length - taken.length));
  }

  #say(whys: readonly (string | undefined)[], left: number): void {
    const problems = whys.filter(why => why !== undefined);
    if (left > 0) problems.unshift(tooManyPictures(left));
    const more = problems.length - MAX_SAID;
    if (problems.length > 0)
      this.panel.say([...problems.slice(0, MAX_SAID), ...(more > 0 ? [t("And {0} more.", more)] : [])].join("\n"));
  }

  get #count(): number {
    return this.panel.held.in(this.box.current?.value ?? "").filter(({ thing }) => thing.kind !== "text").length;
  }

  #begin(file: File): { raw: string; why: Promise<string | undefined> } {
    const path = pictureName(file.name);
    const failed = (error: unknown) => ({ why: errorMessage(error) });
    const read = this.#last.then(() => this.#read(file, path)).catch(failed);
    const why = read.then(thing => {
      if ("why" in thing) this.panel.held.wasNone(raw);
      else this.panel.held.wasRead(raw, thing.picture);
      if ("why" in thing) takeOut(this.box.current, raw);
      this.changed();
      return "why" in thing ? thing.why : undefined;
    });
    this.#last = why;
    const raw = this.panel.held.hold({ kind: "reading", path, done: why.then(() => undefined) });
    return { raw, why };
  }

  /** @returns `why` not */
  async #read(file: File, name: string) {
    const read = await readPicture(file, name);
    if ("why" in read) return read;
    const picture = await this.panel.keepPicture(name, toBase64(read.bytes));
    if ("why" in picture) return picture;
    return { picture: { kind: "picture" as const, picture, thumb: await thumbOf(file) } };
  }
}
