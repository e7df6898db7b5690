import { useEffect, useMemo, useRef, useState } from "react";
import { later } from "../../../../src/shared/async";
import { plural, t } from "../../../../src/shared/l10n";
import { mayBegin } from "../../../../src/shared/mentions/parse";
import { type Chip, Chips, heldChip, withoutMention } from "../../mentions/chips";
import { CommandSource } from "../../mentions/commandSource";
import { mentionSource } from "../../mentions/mentionSource";
import { type Menu, MenuControl } from "../../mentions/menu";
import {
  bringsFiles,
  droppedPlaces,
  insertAtCursor,
  pastedPlaces,
  replacePasted,
  replaceText,
} from "../../mentions/places";
import { useListener, usePanel } from "../../panel/hooks";
import type { Panel } from "../../panel/panel";
import { type PasteEvent, type TextBox, useHeld } from "./useHeld";

/** All that the composer does about mentions and commands that are typed in it. `enabled`: its text can be changed */
export function useMentions(box: TextBox, enabled: boolean) {
  const panel = usePanel();
  const held = useHeld(box, enabled);
  const { menu, control } = useMenu(box, held.addFiles);
  const { chips: mentioned, textChanged } = useChips();
  const dropping = useDroppedFiles(box, enabled, held.addFiles);
  const chips = useMemo(() => [...held.held.map(heldChip), ...mentioned], [held.held, mentioned]);
  // What an input method is still composing changes with every key, and its own list is open.
  const composing = useRef(false);
  return {
    menu,
    control,
    chips,
    dropping,
    /** @param caret where a person types letter by letter */
    textChanged(text: string, caret?: number) {
      textChanged(text, caret);
      held.textChanged(text);
      if (!composing.current) control.textChanged(caret !== undefined);
    },
    remove({ raw, thing }: Chip) {
      if (thing !== undefined) return held.remove({ raw, thing });
      const cut = box.current === null ? undefined : withoutMention(box.current.value, raw);
      if (box.current !== null && cut !== undefined) replaceText(box.current, cut.start, cut.end, cut.text);
    },
    /** A pasted text is shown. */
    open({ raw, thing }: Chip) {
      if (thing !== undefined) held.open({ raw, thing });
    },
    noteKey: held.onKeyDown,
    whenRead: held.whenRead,
    handlers: {
      onCompositionStart() {
        composing.current = true;
      },
      onCompositionEnd() {
        composing.current = false;
        control.textChanged(true);
      },
      onSelect() {
        if (!composing.current) control.caretMoved();
      },
      onBlur() {
        control.close();
        textChanged(box.current?.value ?? "");
      },
      onPaste(event: PasteEvent) {
        if (!held.onPaste(event)) void mentionPasted(panel, box, event);
      },
    },
  };
}

type AddFiles = (files: readonly File[]) => void;

function choosePictures(add: AddFiles): void {
  const input = Object.assign(document.createElement("input"), { type: "file", accept: "image/*", multiple: true });
  input.addEventListener("change", () => add([...(input.files ?? [])]));
  input.click();
}

/** `menu` undefined: it is closed, and typing renders nothing. */
function useMenu(box: TextBox, addFiles: AddFiles) {
  const panel = usePanel();
  const [menu, show] = useState<Menu>();
  const isIdle = () => panel.store.get().session.run === "idle";
  const [control] = useState(() => {
    const commands = new CommandSource({ callable: () => panel.callable(), isIdle });
    const mention = mentionSource({
      choosePictures: () => choosePictures(addFiles),
      ask: query => panel.ask("completeMention", { query }),
      folders: () => panel.store.get().surroundings?.folders ?? [],
    });
    return new MenuControl({
      read: (text, caret) => mention(text, caret) ?? commands.read(text),
      text() {
        const { value: text = "", selectionStart = 0, selectionEnd = 0 } = box.current ?? {};
        return { text, caret: selectionStart === selectionEnd ? selectionStart : undefined };
      },
      replace({ start, end, text, caret }) {
        if (box.current === null) return;
        replaceText(box.current, start, end, text);
        box.current.setSelectionRange(caret, caret);
      },
      show,
      later,
    });
  });
  useEffect(() => () => control.close(), [control]);
  return { menu, control };
}

/** What the text mentions, with what the host says of it: asked again when files come or go, and when the panel gets the focus. */
function useChips() {
  const panel = usePanel();
  const [chips, show] = useState<readonly Chip[]>([]);
  const ask = async (mentions: string[]) => (await panel.askQuietly("mentionStates", { mentions }))?.states;
  const [control] = useState(() => new Chips({ ask, show, later }));
  const [textChanged] = useState(() => (text: string, caret?: number) => control.textChanged(text, caret));
  useEffect(() => panel.filesChanged.on(() => control.filesChanged()), [panel, control]);
  useListener("focus", () => control.filesChanged());
  useEffect(() => () => control.dispose(), [control]);
  return { chips, textChanged };
}

/** Whether a change of the text is a person typing, letter by letter: a paste, an undo, a dictation open no menu. */
export function isTyped({ inputType, data, isComposing }: InputEvent): boolean {
  if (isComposing || inputType === "deleteContentBackward") return true;
  return inputType === "insertText" && data !== null && [...data].length === 1;
}

/** Files that are dropped anywhere on the panel become mentions. @returns whether some are dragged over it now */
function useDroppedFiles(box: TextBox, enabled: boolean, add: AddFiles): boolean {
  const panel = usePanel();
  const [over, setOver] = useState(false);
  const take = (event: DragEvent) => {
    setOver(false);
    if (event.dataTransfer === null || !bringsFiles(event.dataTransfer.types)) return undefined;
    event.preventDefault();
    return event.dataTransfer;
  };
  const onDragOver = (event: DragEvent) => {
    const dragged = take(event);
    if (dragged === undefined) return;
    dragged.dropEffect = "copy";
    setOver(true);
  };
  const onDrop = (event: DragEvent) => {
    const dropped = take(event);
    if (dropped === undefined) return;
    const places = droppedPlaces(dropped);
    // What the workspace has is mentioned; what another program brings has no place here.
    if (places.length === 0 && dropped.files.length > 0) add([...dropped.files]);
    else void mentionDropped(panel, box, places);
  };
  useListener("dragover", onDragOver, enabled);
  useListener("dragleave", event => event.relatedTarget === null && setOver(false), enabled);
  useListener("drop", onDrop, enabled);
  return over;
}

async function mentionDropped(panel: Panel, box: TextBox, places: string[]): Promise<void> {
  if (places.length === 0) return panel.say(t("Drop files from the explorer, or images."));
  const answer = await panel.ask("mentionPlaces", { places });
  if (answer === undefined || box.current === null) return;
  const mentions = answer.mentions.filter(mention => mention !== null);
  if (mentions.length > 0) insertAtCursor(box.current, `${mentions.join(" ")} `);
  const left = places.length - mentions.length;
  const words = plural(
    left,
    "1 dropped file could not be mentioned: only files in this workspace can.",
    "{0} dropped files could not be mentioned: only files in this workspace can.",
  );
  if (left > 0) panel.say(words);
}

/**
 * A paste of nothing but paths: it lands as it is, and becomes mentions once the host knows all of them. One undo brings the
 * paths back.
 */
async function mentionPasted(panel: Panel, box: TextBox, { clipboardData, currentTarget }: PasteEvent): Promise<void> {
  const pasted = clipboardData.getData("text/plain").replaceAll("\r\n", "\n");
  const places = pastedPlaces(pasted);
  if (places === undefined || currentTarget.readOnly) return;
  const start = currentTarget.selectionStart;
  const { mentions } = (await panel.ask("mentionPlaces", { places })) ?? {};
  if (mentions === undefined || mentions.includes(null) || box.current === null) return;
  const { value } = box.current;
  // What stands before may make it no mention.
  if (!mayBegin(value, start)) return;
  const text = `${mentions.join(" ")}${/^\s/.test(value.slice(start + pasted.length)) ? "" : " "}`;
  replacePasted(box.current, { pasted, start }, text);
}
