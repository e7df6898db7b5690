import { type KeyboardEvent, useEffect, useRef } from "react";
import { parseSlashCommand, unknownCommand } from "../../../src/shared/slashCommand";
import { Icon } from "../controls/controls";
import { COMPOSER_ID, focusComposer } from "../controls/focus";
import type { MenuControl } from "../mentions/menu";
import { usePanel, usePanelState } from "../panel/hooks";
import type { Panel } from "../panel/panel";
import { underWay } from "../store/compactions";
import type { PanelState } from "../store/state";
import { ContextMeter } from "./ContextMeter";
import { MentionChips, spokenChips } from "./MentionChips";
import { listAttributes, MentionMenu, spokenMenu } from "./MentionMenu";
import { type SlashCommandName, slashCommands, useComposerText } from "./useComposerText";
import { isTyped, useMentions } from "./useMentions";

/**
 * Where a person writes. Its text lives in the text box alone: typing renders nothing but the box itself, until a mention is
 * typed.
 */
export function Composer() {
  const panel = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const readOnly = usePanelState(state => state.session.readOnly);
  const failed = usePanelState(state => state.phase === "failed");
  const placeholder = usePanelState(placeholderIn);
  const mentions = useMentions(box, !readOnly);
  const { empty, command, text } = useComposerText(box, mentions.textChanged);
  // While it loads as well: then it is sent once the conversation is open.
  const canSend = !failed && !readOnly;
  useFocusOnArrival();

  const send = async (delivery: "steer" | "queue") => {
    if (!canSend) return;
    const taken = text.take();
    if (taken === "") return;
    if (await sendOrRun(panel, taken, delivery)) text.arrived(taken);
    else text.returned(taken);
  };
  const complete = () => {
    if (command === undefined) return;
    text.put(slashCommands[command].after === "" ? `/${command}` : `/${command} `);
    box.current?.focus();
  };
  const keys = useComposerKeys({ menu: mentions.control, command, complete, send, text });
  return (
    <div className={mentions.dropping ? "composer dropping" : "composer"}>
      {mentions.menu ? <MentionMenu menu={mentions.menu} choose={item => mentions.control.choose(item)} /> : null}
      {command === undefined ? null : <SlashHint command={command} choose={complete} />}
      <textarea
        ref={box}
        id={COMPOSER_ID}
        className="composer-text"
        aria-label="Message Strata"
        placeholder={mentions.dropping ? "Drop to mention" : placeholder}
        rows={1}
        readOnly={readOnly}
        spellCheck={false}
        {...listAttributes(mentions.menu)}
        {...mentions.handlers}
        onInput={event => {
          text.input(isTyped(event.nativeEvent));
          mentions.textTyped(event.nativeEvent);
        }}
        onKeyDown={keys}
      />
      <MentionChips chips={mentions.chips} remove={mentions.remove} />
      <div className="composer-bar">
        <ModelName />
        <ContextMeter />
        <ComposerButtons canSend={canSend && !empty} send={() => void send("steer")} />
      </div>
      <div className="visually-hidden" role="status">
        {mentions.menu === undefined ? spokenChips(mentions.chips) : spokenMenu(mentions.menu)}
      </div>
    </div>
  );
}

/** A message, or a command that was typed as one. false: it was not taken */
function sendOrRun(panel: Panel, text: string, delivery: "steer" | "queue"): Promise<boolean> {
  const command = parseSlashCommand(text);
  const problem = command === undefined ? unknownCommand(text) : undefined;
  if (problem !== undefined) {
    panel.say(problem);
    return Promise.resolve(false);
  }
  if (command === undefined) return panel.submit(text, delivery);
  return command.name === "compact" ? panel.compact(command.words) : panel.takeBack(command.name);
}

const placeholders = {
  idle: "Ask Strata, @ for files, / for commands",
  running: "Enter: say it now · Alt+Enter: after this turn",
  asking: "Enter: deny with these words · Alt+Enter: after this turn",
  stopping: "Stopping",
};

function placeholderIn({ session: { readOnly, run, progress } }: PanelState): string {
  if (readOnly) return "Another window is working on this conversation";
  if (underWay(progress) && progress.reason === "manual") return "Goes out after the compaction";
  return placeholders[run];
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

/** Stop, while something runs, and Send. */
function ComposerButtons({ canSend, send }: { canSend: boolean; send: () => void }) {
  const panel = usePanel();
  const run = usePanelState(state => state.session.run);
  const running = run !== "idle";
  const stop = () => {
    panel.ask("stop", {});
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
        title={running ? `Send. ${placeholders[run]}` : "Send (Enter)"}
        disabled={!canSend}
        onClick={send}
      >
        <Icon name="arrow-up" />
      </button>
    </span>
  );
}

/** What the command that is being typed does; a click writes it out. */
function SlashHint({ command, choose }: { command: SlashCommandName; choose: () => void }) {
  const idle = usePanelState(state => state.session.run === "idle");
  const { after, meaning } = slashCommands[command];
  return (
    <button type="button" className="slash-hint" onClick={choose}>
      <span className="slash-name">
        /{command} {after === "" ? null : <span className="quiet">[{after}]</span>}
      </span>
      <span className="quiet">{idle ? meaning : "Once the agent is done, or stopped"}</span>
    </button>
  );
}

interface Keys extends Pick<ReturnType<typeof useComposerText>, "command" | "text"> {
  menu: MenuControl;
  /** Writes the command out. */
  complete(): void;
  send(delivery: "steer" | "queue"): Promise<void>;
}

/** What keys do in the composer: first those of the menu of mentions, then those of a command, then those that send. */
function useComposerKeys({ menu, command, complete, send, text }: Keys) {
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
      text.put(last);
    }
  };
}

/** The model in use; a click chooses another. */
function ModelName() {
  const panel = usePanel();
  const model = usePanelState(state => state.surroundings?.model);
  if (model === undefined) return null;
  const ready = model.state === "ready";
  const effort = ready && model.effort ? ` · ${model.effort}` : "";
  return (
    <button
      type="button"
      className="picker model"
      aria-label={ready ? `Model: ${model.name}${effort}` : "No model"}
      title={ready ? `${model.name} at ${model.address}${effort}. Choose a model or its effort` : model.message}
      onClick={() => panel.act("choose-model")}
    >
      <span className="picker-text">{ready ? `${model.name}${effort}` : "No model"}</span> <Icon name="chevron-down" />
    </button>
  );
}
