import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { usePanel } from "../hooks";
import type { Compose } from "../listen";
import { type SlashCommandName, slashCommandBegun } from "../slashCommands";

/** Typing is kept this often, ms; what a reload could lose. */
const SAVE_MS = 200;

/** The composer's text: kept over reloads, taken when sent, given back when it could not be sent. */
export function useComposerText(box: RefObject<HTMLTextAreaElement | null>) {
  const { memory, onCompose } = usePanel();
  const { empty, command, look } = useLook();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const inFlight = useRef<readonly string[]>([]);

  const save = useCallback(() => {
    clearTimeout(timer.current);
    memory.save({ draft: box.current?.value ?? "", inFlight: inFlight.current });
  }, [box, memory]);

  const onInput = useCallback(() => {
    look(box.current?.value ?? "");
    clearTimeout(timer.current);
    timer.current = setTimeout(save, SAVE_MS);
  }, [box, save, look]);

  /** The whole text becomes this, cursor at its end. */
  const put = useCallback(
    (text: string) => {
      if (box.current === null) return;
      box.current.value = text;
      box.current.setSelectionRange(text.length, text.length);
      onInput();
    },
    [box, onInput],
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
    const compose: Record<Compose["op"], (text: string) => void> = {
      restore: giveBack,
      insert: text => insertAtCursor(box.current, text),
    };
    const end = onCompose(message => {
      compose[message.op](message.text);
      onInput();
      if (message.focus) box.current?.focus();
    });
    return () => {
      end();
      window.removeEventListener("pagehide", save);
    };
  }, [box, memory, onCompose, put, giveBack, save, onInput]);

  return { empty, command, onInput, take, arrived, returned, put };
}

/** What the composer shows about its text: that there is none, or that a command is being typed. */
function useLook() {
  const [empty, setEmpty] = useState(true);
  const [command, setCommand] = useState<SlashCommandName>();
  const look = useCallback((text: string) => {
    setEmpty(text.trim() === "");
    setCommand(slashCommandBegun(text));
  }, []);
  return { empty, command, look };
}

const paragraphs = (texts: readonly string[]) => texts.filter(text => text !== "").join("\n\n");

/** With a space before it where a word would run into it; the cursor ends behind it. */
function insertAtCursor(box: HTMLTextAreaElement | null, text: string) {
  if (box === null) return;
  const { selectionStart: start, selectionEnd: end, value } = box;
  const gap = start > 0 && !/\s/.test(value.charAt(start - 1)) ? " " : "";
  box.setRangeText(gap + text, start, end, "end");
}
