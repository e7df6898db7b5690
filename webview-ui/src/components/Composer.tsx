import { type KeyboardEvent, useEffect, useRef } from "react";
import { parseSlashCommand } from "../../../src/shared/slashCommand";
import { usePanel, usePanelState } from "../hooks";
import type { Panel } from "../panel";
import { slashCommands } from "../slashCommands";
import { underWay } from "../store/compactions";
import type { PanelState } from "../store/state";
import { ContextMeter } from "./ContextMeter";
import { COMPOSER_ID, focusComposer } from "./composerFocus";
import { Icon } from "./Icon";
import { SlashHint } from "./SlashHint";
import { ModelName } from "./Status";
import { useComposerText } from "./useComposerText";

/** Where a person writes. Its text lives in the text box alone: typing renders nothing but the box itself. */
export function Composer() {
  const panel = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const { empty, command, onInput, take, arrived, returned, put } = useComposerText(box);
  const readOnly = usePanelState(state => state.session.readOnly);
  const failed = usePanelState(state => state.phase === "failed");
  const placeholder = usePanelState(placeholderOf);
  // While it loads as well: then it is sent once the conversation is open.
  const canSend = !failed && !readOnly;
  useFocusOnArrival();

  const send = async (delivery: "steer" | "queue") => {
    if (!canSend) return;
    const text = take();
    if (text === "") return;
    if (await sendOrRun(panel, text, delivery)) arrived(text);
    else returned(text);
  };
  const complete = () => {
    if (command === undefined) return;
    put(slashCommands[command].after === "" ? `/${command}` : `/${command} `);
    box.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // 229: an input method is composing, in browsers that do not say so on the last key
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const begun = command !== undefined && !event.currentTarget.value.startsWith(`/${command}`);
    if (begun && plain && (event.key === "Enter" || event.key === "Tab")) {
      event.preventDefault();
      complete();
    } else if (event.key === "Enter" && plain) {
      event.preventDefault();
      void send(event.altKey ? "queue" : "steer");
    }
    if (event.key === "ArrowUp" && plain && event.currentTarget.value === "") {
      const last = panel.store.get().session.lastPrompt;
      if (last === null) return;
      event.preventDefault();
      put(last);
    }
  };
  return (
    <div className="composer">
      {command === undefined ? null : <SlashHint command={command} choose={complete} />}
      <textarea
        ref={box}
        id={COMPOSER_ID}
        className="composer-text"
        aria-label="Message Strata"
        placeholder={placeholder}
        rows={1}
        readOnly={readOnly}
        spellCheck={false}
        onInput={onInput}
        onKeyDown={onKeyDown}
      />
      <div className="composer-bar">
        <ModelName />
        <ContextMeter />
        <Buttons canSend={canSend && !empty} send={() => void send("steer")} />
      </div>
    </div>
  );
}

/** A message, or a command that was typed as one. false: it was not taken */
function sendOrRun(panel: Panel, text: string, delivery: "steer" | "queue"): Promise<boolean> {
  const command = parseSlashCommand(text);
  if (command === undefined) return panel.submit(text, delivery);
  return command.name === "compact" ? panel.compact(command.words) : panel.takeBack(command.name);
}

const placeholders = {
  idle: "Ask Strata, @path for a file, / for commands",
  running: "Enter steers, Alt+Enter queues",
  asking: "Enter steers, Alt+Enter queues",
  stopping: "Stopping",
};

function placeholderOf({ session: { readOnly, run, progress } }: PanelState): string {
  if (readOnly) return "Another window is working on this conversation";
  if (underWay(progress) && progress.reason === "manual") return "Goes out after the compaction";
  return placeholders[run];
}

function Buttons({ canSend, send }: { canSend: boolean; send: () => void }) {
  const panel = usePanel();
  const run = usePanelState(state => state.session.run);
  const running = run !== "idle";
  const stop = () => {
    panel.stop();
    focusComposer();
  };
  return (
    <span className="composer-buttons">
      {running ? (
        <button
          type="button"
          className="round"
          aria-label="Stop"
          title="Stop (Esc)"
          disabled={run === "stopping"}
          onClick={stop}
        >
          <Icon name="debug-stop" />
        </button>
      ) : null}
      <button
        type="button"
        className="round primary"
        aria-label="Send"
        title={running ? "Send for the next step (Enter), or for later (Alt+Enter)" : "Send (Enter)"}
        disabled={!canSend}
        onClick={send}
      >
        <Icon name="arrow-up" />
      </button>
    </span>
  );
}

/** The composer has the focus whenever the panel gets it and nothing else in it does. */
function useFocusOnArrival() {
  useEffect(() => {
    if (document.hasFocus()) focusComposer();
    const onFocus = () => {
      if (document.activeElement === document.body) focusComposer();
    };
    window.addEventListener("focus", onFocus);
    return () => window.removeEventListener("focus", onFocus);
  }, []);
}
