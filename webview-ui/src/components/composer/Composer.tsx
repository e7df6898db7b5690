import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { SessionState } from "../../../../src/shared/events";
import { t } from "../../../../src/shared/l10n";
import type { PanelParams } from "../../../../src/shared/panelProtocol";
import type { SlashCommandName } from "../../../../src/shared/slashCommand";
import { compactionWay, parseSlashCommand, unknownCommand } from "../../../../src/shared/slashCommand";
import { compactAt } from "../../../../src/shared/tokenCount";
import { Icon, IconButton } from "../../controls/controls";
import { COMPOSER_ID, focusComposer } from "../../controls/focus";
import { ROVING_ROW, useRoving } from "../../controls/roving";
import type { MenuControl } from "../../mentions/menu";
import { insertAtCursor } from "../../mentions/places";
import { useListener, usePanel, usePanelState, useSpoken } from "../../panel/hooks";
import type { Panel } from "../../panel/panel";
import { frontQuestion } from "../../panel/questions";
import type { PanelState } from "../../store/state";
import { exactNumber } from "../../text/contextWords";
import { formatPercent } from "../../text/format";
import { MentionChips, spokenChips } from "./MentionChips";
import { ComposerMenu, listAttributes, spokenMenu } from "./Menu";
import { ModePicker } from "./ModePicker";
import { useComposerText } from "./useComposerText";
import { isTyped, useMentions } from "./useMentions";

/** From this share of the window on the ring is full; it warns where a compaction begins, or earlier in a window that is guessed. */
const NEARLY_FULL = 0.95;
const GUESSED = 0.7;
const RADIUS = 6;
const ROUND = 2 * Math.PI * RADIUS;

/** How full the context is, as a ring with its percentage; a click shows what fills it. */
function ContextMeter() {
  const panel = usePanel();
  const use = usePanelState(state => state.session.context);
  const model = usePanelState(state => state.surroundings?.model);
  const warnsAt = model?.state === "ready" && model.isWindowGuessed ? GUESSED : compactAt(1);
  const window = use?.window ?? (model?.state === "ready" ? model.contextWindow : undefined);
  if (use === null || window === undefined) return <span className="meter" />;
  const full = use.tokens / window;
  const look = full >= NEARLY_FULL ? "full" : full >= warnsAt ? "high" : "";
  const dashes = `${Math.min(1, full) * ROUND} ${ROUND}`;
  const words = t("{0} of {1} tokens in the context", exactNumber(use.tokens), exactNumber(window));
  return (
    <span className="meter">
      <button
        type="button"
        className="picker meter-button"
        aria-label={`${formatPercent(full)}, ${words}`}
        title={t("{0}. Show what fills it", words)}
        onClick={() => panel.show("context")}
      >
        <svg className={`ring ${look}`} viewBox="0 0 16 16" aria-hidden="true">
          <circle className="ring-all" cx="8" cy="8" r={RADIUS} />
          <circle className="ring-used" cx="8" cy="8" r={RADIUS} strokeDasharray={dashes} />
        </svg>
        <span className="meter-text">{formatPercent(full)}</span>
      </button>
    </span>
  );
}

/**
 * Where a person writes. Its text lives in the text box alone: typing renders nothing but the box itself, until a mention is
 * typed.
 */
export function Composer() {
  const panel = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const readOnly = usePanelState(state => state.session.readOnly);
  const failed = usePanelState(state => state.phase === "failed");
  const noSession = usePanelState(hasNoSession);
  // Who was typing as the session could not be opened again goes on; only sending waits.
  const closed = noSession || readOnly;
  // Not while it loads: then what is sent goes out once the session is open.
  const sends = !failed && !readOnly;
  const placeholder = usePanelState(placeholderIn);
  const mentions = useMentions(box, !closed);
  const [onText] = useState(() => mentions.textChanged);
  const { empty, text } = useComposerText(box, onText);
  useFocusOnArrival();
  useSpoken(mentions.menu === undefined ? spokenChips(mentions.chips) : spokenMenu(mentions.menu));

  const send = async (delivery: "steer" | "queue") => {
    if (!sends) return;
    if (!(await mentions.whenRead())) return;
    const taken = text.take();
    if (taken === "") return;
    if (await sendOrRun(panel, taken, delivery)) text.arrived(taken);
    else text.returned(taken);
  };
  useEffect(() => panel.composed.on(({ op }) => void (op === "send" && send("queue"))));
  /** The menu of what can be mentioned opens, as by an @ that is typed. */
  const attach = () => {
    box.current?.focus();
    if (mentions.menu !== undefined || box.current === null) return;
    insertAtCursor(box.current, "@");
    text.input(true);
  };
  const keys = useComposerKeys({ menu: mentions.control, noteKey: mentions.noteKey, send, text });
  return (
    <div className={`composer${mentions.dropping ? " dropping" : ""}${closed ? " closed" : ""}`}>
      {mentions.menu ? <ComposerMenu menu={mentions.menu} choose={item => mentions.control.choose(item)} /> : null}
      <MentionChips chips={mentions.chips} remove={mentions.remove} open={mentions.open} />
      <textarea
        ref={box}
        id={COMPOSER_ID}
        className="composer-text"
        aria-label={t("Message Strata")}
        placeholder={mentions.dropping ? t("Drop files to mention them") : placeholder}
        rows={1}
        readOnly={closed}
        spellCheck={false}
        {...listAttributes(mentions.menu)}
        {...mentions.handlers}
        onInput={event => text.input(isTyped(event.nativeEvent))}
        onKeyDown={keys}
      />
      <ComposerBar attach={attach} canAttach={!closed}>
        <SendButton canSend={sends && !empty} send={() => void send("steer")} />
      </ComposerBar>
    </div>
  );
}

/** One tab stop: what is added, what answers and how, what is sent. */
function ComposerBar({ attach, canAttach, children }: { attach(): void; canAttach: boolean; children: ReactNode }) {
  // What stands in it comes and goes with these: the bar is drawn then, and stays one stop.
  usePanelState(state => state.surroundings?.model);
  usePanelState(state => state.session.context);
  const keys = { ...ROVING_ROW, ...useRoving<HTMLDivElement>() };
  return (
    <div className="composer-bar" role="toolbar" aria-label={t("About the message")} {...keys}>
      <IconButton
        icon="add"
        label={t("Add context: a file, a picture, problems…")}
        disabled={!canAttach}
        // The text box keeps the focus, and what is chosen goes to its caret.
        onMouseDown={event => event.preventDefault()}
        onClick={attach}
      />
      <ModePicker />
      <ModelName />
      <ContextMeter />
      {children}
    </div>
  );
}

/** A message, or a command that was typed as one. false: it was not taken */
async function sendOrRun(panel: Panel, text: string, delivery: "steer" | "queue") {
  const [unknown] = panel.held.unknown(text);
  if (unknown !== undefined) {
    panel.say(t("Nothing was sent: what {0} stands for is not here any more. Remove it, or add it again.", unknown));
    return false;
  }
  const { text: whole, pictures } = panel.held.resolve(text);
  const command = parseSlashCommand(whole);
  if (command !== undefined && pictures.length > 0) {
    panel.say(t("A command takes no pictures. Remove them, or send them as a message."));
    return false;
  }
  if (command !== undefined) return commands[command.name](panel, command.words);
  // A skill may have come since the menu was open.
  const problem = whole.startsWith("/") ? unknownCommand(whole, await panel.callable()) : undefined;
  if (problem === undefined) return panel.submit(whole, delivery, pictures);
  panel.say(problem);
  return false;
}

type CommandAction = (panel: Panel, words: string) => Promise<boolean>;

const acting =
  (action: PanelParams<"action">["action"]): CommandAction =>
  async panel =>
    (await panel.act(action)) !== undefined;

/** What each of Strata's own commands does here. false: it was not taken */
const commands: Record<SlashCommandName, CommandAction> = {
  compact(panel, words) {
    const way = compactionWay(words);
    return way ? panel.takeBack(way) : panel.compact(words);
  },
  async context(panel) {
    panel.show("context");
    return true;
  },
  cost: panel => panel.showCost(),
  async new(panel) {
    await panel.newSession();
    return true;
  },
  model: acting("choose-model"),
  mode: (panel, words) => panel.setMode(words),
  permissions: acting("show-permissions"),
  lift: async (panel, which) => (await panel.ask("lift", { which, by: "user" })) !== undefined,
  skills: acting("show-skills"),
  hooks: acting("show-hooks"),
  mcp: acting("show-servers"),
  export: acting("export-session"),
  undo: async panel => (await panel.ask("rewind", { what: "files" })) !== undefined,
  redo: async panel => (await panel.ask("undoRewind", {})) !== undefined,
  help: acting("show-help"),
};

function placeholders(run: SessionState) {
  if (run === "idle") return t("Ask Strata, @ for files, / for commands");
  return run === "stopping" ? t("Stopping") : t("Enter: send now · Alt+Enter: later");
}

/** It could not be opened, and none was open before it. */
const hasNoSession = ({ phase, session }: PanelState) => phase === "failed" && session.sessionId === "";

function placeholderIn(state: PanelState): string {
  const { session } = state;
  const { readOnly, run, progress } = session;
  if (hasNoSession(state)) return t("Open a session to write here");
  if (readOnly) return t("Read-only here");
  if (progress?.reason === "manual") return t("Goes out after compacting");
  const question = run === "asking" ? frontQuestion(session) : undefined;
  if (question === undefined) return placeholders(run);
  return question.form.server === undefined ? t("Enter: answer · Alt+Enter: later") : placeholders("running");
}

/** The composer has the focus whenever the panel gets it and nothing else in it does. */
function useFocusOnArrival() {
  useEffect(() => void (document.hasFocus() && focusComposer()), []);
  useListener("focus", () => document.activeElement === document.body && focusComposer());
}

/** What stops what runs is in the line above: this button is always the same one. */
function SendButton({ canSend, send }: { canSend: boolean; send: () => void }) {
  const run = usePanelState(state => state.session.run);
  return (
    <button
      type="button"
      className="round primary"
      aria-label={t("Send")}
      title={run === "idle" ? t("Send (Enter)") : t("Send. {0}", placeholders(run))}
      disabled={!canSend}
      onClick={() => {
        send();
        // It cannot be pressed again: what had the focus would have it no more.
        focusComposer();
      }}
    >
      <Icon name="arrow-up" />
    </button>
  );
}

interface KeyTargets {
  text: ReturnType<typeof useComposerText>["text"];
  menu: MenuControl;
  noteKey(event: KeyboardEvent): void;
  send(delivery: "steer" | "queue"): Promise<void>;
}

/** What keys do in the composer: first those of the menu, then those that send. */
function useComposerKeys({ menu, send, text, noteKey }: KeyTargets) {
  const panel = usePanel();
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    noteKey(event);
    // 229: an input method is composing, in browsers that do not say so on the last key
    if (event.defaultPrevented || event.nativeEvent.isComposing || event.keyCode === 229) return;
    const { value } = event.currentTarget;
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (plain && !event.altKey && menu.key(event.key, () => void send("steer"))) {
      event.preventDefault();
      // Esc closes the menu alone: what runs goes on
      event.stopPropagation();
    } else if (event.key === "Enter" && plain) {
      event.preventDefault();
      void send(event.altKey ? "queue" : "steer");
    } else if (event.key === "ArrowUp" && plain && !event.altKey && value === "") {
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
  const name = ready ? (model.effort ? t("{0} · {1}", model.name, model.effort) : model.name) : t("No model");
  return (
    <button
      type="button"
      className="picker model"
      aria-label={ready ? t("Model: {0}", name) : name}
      title={ready ? t("{0} at {1}. Choose a model or its effort", name, model.address) : model.message}
      onClick={() => {
        // It gets the focus back.
        focusComposer();
        void panel.act("choose-model");
      }}
    >
      <span className="picker-text cut">{name}</span> <Icon name="chevron-down" />
    </button>
  );
}
