import { useEffect, useRef } from "react";
import { parseSlashCommand } from "../../../src/shared/slashCommand";
import { usePanel, usePanelState } from "../hooks";
import type { Panel } from "../panel";
import { slashCommands } from "../slashCommands";
import { underWay } from "../store/compactions";
import type { PanelState } from "../store/state";
import { ComposerButtons } from "./ComposerButtons";
import { ContextMeter } from "./ContextMeter";
import { COMPOSER_ID, focusComposer } from "./composerFocus";
import { MentionChips, spokenChips } from "./MentionChips";
import { listAttributes, MentionMenu, spokenMenu } from "./MentionMenu";
import { SlashHint } from "./SlashHint";
import { ModelName } from "./Status";
import { useComposerKeys } from "./useComposerKeys";
import { useComposerText } from "./useComposerText";
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
  const placeholder = usePanelState(placeholderOf);
  const mentions = useMentions(box, !readOnly);
  const { empty, command, onInput, take, arrived, returned, put } = useComposerText(box, mentions.textChanged);
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
  const keys = useComposerKeys({ menu: mentions.control, command, complete, send, put });
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
          onInput(isTyped(event.nativeEvent));
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
  if (command === undefined) return panel.submit(text, delivery);
  return command.name === "compact" ? panel.compact(command.words) : panel.takeBack(command.name);
}

const placeholders = {
  idle: "Ask Strata, @ for files, / for commands",
  running: "Enter steers, Alt+Enter queues",
  asking: "Enter steers, Alt+Enter queues",
  stopping: "Stopping",
};

function placeholderOf({ session: { readOnly, run, progress } }: PanelState): string {
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
