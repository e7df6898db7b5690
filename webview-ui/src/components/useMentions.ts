import { type RefObject, useEffect, useRef, useState } from "react";
import { type Chip, Chips } from "../mentions/chips";
import { replaceText } from "../mentions/editText";
import { type Mentioned, withoutMention } from "../mentions/mentioned";
import type { Menu } from "../mentions/menu";
import { MenuControl } from "../mentions/menuControl";
import { later, usePanel, usePanelState } from "../panel/hooks";
import { useDroppedFiles, usePastedPaths } from "./useDroppedFiles";

type Box = RefObject<HTMLTextAreaElement | null>;

/** All that the composer does about mentions. `enabled`: its text can be changed */
export function useMentions(box: Box, enabled: boolean) {
  const { menu, control } = useMenu(box);
  const { chips, textChanged } = useChips();
  const dropping = useDroppedFiles(box, enabled);
  const onPaste = usePastedPaths(box);
  // What an input method is still composing changes with every key, and its own list is open.
  const composing = useRef(false);
  return {
    ...{ menu, control, chips, textChanged, dropping },
    textTyped(event: InputEvent) {
      if (!event.isComposing) control.textChanged(isTyped(event));
    },
    remove({ raw }: Mentioned) {
      const cut = box.current === null ? undefined : withoutMention(box.current.value, raw);
      if (box.current !== null && cut !== undefined) replaceText(box.current, cut.start, cut.end, cut.text);
    },
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
      onPaste,
    },
  };
}

/** `menu` undefined: it is closed, and typing renders nothing. */
function useMenu(box: Box) {
  const panel = usePanel();
  const [menu, show] = useState<Menu>();
  const folders = usePanelState(state => state.surroundings?.folders);
  const knownFolders = useRef(folders);
  useEffect(() => {
    knownFolders.current = folders;
  }, [folders]);
  const [control] = useState(
    () =>
      new MenuControl({
        ask: query => panel.completeMention(query),
        text() {
          const { value: text = "", selectionStart = 0, selectionEnd = 0 } = box.current ?? {};
          return { text, caret: selectionStart === selectionEnd ? selectionStart : undefined };
        },
        replace({ start, end, text, caret }) {
          if (box.current === null) return;
          replaceText(box.current, start, end, text);
          box.current.setSelectionRange(caret, caret);
        },
        folders: () => knownFolders.current ?? [],
        show,
        later,
      }),
  );
  useEffect(() => () => control.close(), [control]);
  return { menu, control };
}

/** What the text mentions, with what the host says of it: asked again when files come or go, and when the panel gets the focus. */
function useChips() {
  const panel = usePanel();
  const [chips, show] = useState<readonly Chip[]>([]);
  const [control] = useState(() => new Chips({ ask: names => panel.mentionStates(names), show, later }));
  const [textChanged] = useState(() => (text: string, caret?: number) => control.textChanged(text, caret));
  useEffect(() => {
    const onChange = () => control.filesChanged();
    const end = panel.onFilesChanged(onChange);
    window.addEventListener("focus", onChange);
    return () => {
      end();
      window.removeEventListener("focus", onChange);
      control.dispose();
    };
  }, [panel, control]);
  return { chips, textChanged };
}

/** Whether a change of the text is somebody typing, letter by letter: a paste, an undo, a dictation open no menu. */
export function isTyped({ inputType, data, isComposing }: InputEvent): boolean {
  if (isComposing || inputType === "deleteContentBackward") return true;
  return inputType === "insertText" && data !== null && [...data].length === 1;
}
