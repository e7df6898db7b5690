import type { KeyboardEvent } from "react";
import { usePanel } from "../hooks";
import type { MenuControl } from "../mentions/menu";
import type { SlashCommandName } from "../slashCommands";

interface Keys {
  menu: MenuControl;
  /** that is being typed */
  command: SlashCommandName | undefined;
  /** Writes it out. */
  complete(): void;
  send(delivery: "steer" | "queue"): Promise<void>;
  put(text: string): void;
}

/** What keys do in the composer: first those of the menu of mentions, then those of a command, then those that send. */
export function useComposerKeys({ menu, command, complete, send, put }: Keys) {
  const panel = usePanel();
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // 229: an input method is composing, in browsers that do not say so on the last key
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const { value } = event.currentTarget;
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const begun = command !== undefined && !value.startsWith(`/${command}`);
    if (plain && !event.altKey && menu.key(event.key, () => void send("steer"))) {
      event.preventDefault();
      // Esc closes the menu alone: what runs goes on
      event.stopPropagation();
    } else if (begun && plain && (event.key === "Enter" || event.key === "Tab")) {
      event.preventDefault();
      complete();
    } else if (event.key === "Enter" && plain) {
      event.preventDefault();
      void send(event.altKey ? "queue" : "steer");
    } else if (event.key === "ArrowUp" && plain && value === "") {
      const last = panel.store.get().session.lastPrompt;
      if (last === null) return;
      event.preventDefault();
      put(last);
    }
  };
}
