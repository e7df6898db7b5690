import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { usePanel } from "../hooks";
import type { Compose } from "../listen";
import { insertAtCursor } from "../mentions/places";
import { type SlashCommandName, slashCommandBegun } from "../slashCommands";

/** Typing is kept this often, ms; what a reload could lose. */
const SAVE_MS = 200;

/**
 * The composer's text: kept over reloads, taken when sent, given back when it could not be sent.
 * @param onText told of every change; `caret` where somebody types. Always the same function
 */
export function useComposerText(
  box: RefObject<HTMLTextAreaElement | null>,
  onText: (text: string, caret?: number) => void,
) {
  const { memory } = usePanel();
  const { empty, command, look } = useLook(onText);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const inFlight = useRef<readonly string[]>([]);

  const save = useCallback(() => {
    clearTimeout(timer.current);
    memory.save({ draft: box.current?.value ?? "", inFlight: inFlight.current });
  }, [box, memory]);

  const changed = useCallback(
    (caret?: number) => {
      look(box.current?.value ?? "", caret);
      clearTimeout(timer.current);
      timer.current = setTimeout(save, SAVE_MS);
    },
    [box, save, look],
  );
  /** @param typed letter by letter */
  const onInput = (typed: boolean) => changed(typed ? box.current?.selectionEnd : undefined);

  /** The whole text becomes this, cursor at its end. */
  const put = useCallback(
    (text: string) => {
      if (box.current === null) return;
      box.current.value = text;
      box.current.setSelectionRange(text.length, text.length);
      changed();
    },
    [box, changed],
  );

  /** What could not be sent comes first, what was typed meanwhile stays behind it. */
  const giveBack = useCallback(
    (text: string) => {
      put(paragraphs([text, box.current?.value ?? ""]));
    },
    [box, put],
  );

  /** Empties the box. The text stays remembered until `arrived` or `returned`: it is not lost on the way. */
  const take = useCallback(() => {
    const text = (box.current?.value ?? "").trim();
    if (text === "" || box.current === null) return "";
    box.current.value = "";
    look("");
    inFlight.current = [...inFlight.current, text];
    save();
    return text;
  }, [box, save, look]);

  const arrived = useCallback(
    (text: string) => {
      const at = inFlight.current.indexOf(text);
      inFlight.current = inFlight.current.filter((_, index) => index !== at);
      save();
    },
    [save],
  );

  const returned = useCallback(
    (text: string) => {
      giveBack(text);
      arrived(text);
    },
    [giveBack, arrived],
  );

  useEffect(() => {
    const kept = memory.load();
    put(paragraphs([...kept.inFlight, kept.draft]));
    window.addEventListener("pagehide", save);
    return () => window.removeEventListener("pagehide", save);
  }, [memory, put, save]);

  useComposed(box, giveBack, changed);
  return { empty, command, onInput, take, arrived, returned, put };
}

/** What the host puts into the composer. */
function useComposed(
  box: RefObject<HTMLTextAreaElement | null>,
  giveBack: (text: string) => void,
  changed: () => void,
) {
  const { onCompose } = usePanel();
  useEffect(() => {
    const compose: Record<Compose["op"], (text: string) => void> = {
      restore: giveBack,
      insert: text => box.current && insertAtCursor(box.current, text),
    };
    return onCompose(message => {
      compose[message.op](message.text);
      changed();
      if (message.focus) box.current?.focus();
    });
  }, [box, onCompose, giveBack, changed]);
}

/** What the composer shows about its text: that there is none, or that a command is being typed. */
function useLook(onText: (text: string, caret?: number) => void) {
  const [empty, setEmpty] = useState(true);
  const [command, setCommand] = useState<SlashCommandName>();
  const look = useCallback(
    (text: string, caret?: number) => {
      setEmpty(text.trim() === "");
      setCommand(slashCommandBegun(text));
      onText(text, caret);
    },
    [onText],
  );
  return { empty, command, look };
}

const paragraphs = (texts: readonly string[]) => texts.filter(text => text !== "").join("\n\n");
