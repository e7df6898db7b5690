import { useState } from "react";
import { answeredWords, answersOf, stateWord } from "../../../../src/shared/entry";
import { plural, t } from "../../../../src/shared/l10n";
import { outcomeSaid, toolVerb } from "../../../../src/shared/outcomeSaid";
import { toolTraits } from "../../../../src/shared/toolTraits";
import { Icon, IconButton, SPINNER, Toggle } from "../../controls/controls";
import { usePanel, usePanelState } from "../../panel/hooks";
import type { ToolItem, ToolPhase } from "../../store/state";
import { formatDuration, visibleText } from "../../text/format";
import {
  endWords,
  failureWords,
  outcomeWords,
  problemTone,
  refusalWords,
  toolCommand,
  toolFile,
  toolTarget,
} from "../../text/toolWords";
import { ChangeCount, PathWords } from "../changes/Diff";
import { EditActions, UndoneWords } from "../changes/Revert";
import { ToolBody } from "./ToolBody";

/** The card's words in place of an outcome that is missing, and its icon in place of the tool's. */
const phases: Partial<Record<ToolPhase, { words?(): string; icon: string }>> = {
  writing: { words: () => t("writing"), icon: SPINNER },
  running: { words: () => stateWord("running"), icon: SPINNER },
  asking: { icon: "question" },
  partial: { icon: "warning" },
  error: { icon: "error" },
  interrupted: { words: () => t("interrupted, effect unknown"), icon: "circle-slash" },
};

/** One line for a tool call: icon, verb, target, outcome. A click or Enter opens what it did. */
export function ToolCard({ tool }: { tool: ToolItem }) {
  const output = usePanelState(state => state.session.outputs[tool.key], tool.outcome === null);
  const [choice, setChoice] = useState<boolean | null>(null);
  const live = output !== undefined && output !== "";
  // output that comes shows itself, and stays where it failed; what a person opened or closed stays so
  if (live && choice === null && tool.phase === "error") setChoice(true);
  const open = choice ?? (live && tool.outcome === null);
  const refused = refusalWords(tool) !== undefined;
  const traits = toolTraits(tool.toolName);
  const icon = refused ? "circle-slash" : (phases[tool.phase]?.icon ?? traits.icon);
  const ended = tool.outcome === null ? "" : traits.staysInFocus ? " ended stays" : " ended";
  const inFront = usePanelState(({ session }) => tool.phase === "asking" && session.questions[0] === tool.key);
  // What its question shows whole is not opened here too; what a person opened before it asked can be closed, and opened again.
  const canOpen = choice !== null || live || tool.outcome !== null || (tool.input !== null && !inFront);
  return (
    <div className={`tool ${refused ? "refused" : tool.phase}${ended}`} data-tool={tool.toolName} data-item={tool.key}>
      <div className="tool-line">
        <Toggle open={open} className="tool-toggle" disabled={!canOpen} onClick={() => setChoice(!open)}>
          <Icon name={icon} className="tool-icon" />
          <Icon name={open ? "chevron-down" : "chevron-right"} className="tool-chevron" />
          <ToolSummary tool={tool} />
        </Toggle>
        <ToolActions tool={tool} />
      </div>
      {tool.phase === "asking" ? null : <Answered tool={tool} />}
      {open ? <ToolBody tool={tool} output={output ?? ""} /> : null}
    </div>
  );
}

/** What the agent asked and what was answered: that is said in the conversation, however long the line above would be. */
export function Answered({ tool: { question } }: { tool: ToolItem }) {
  if (!question?.answer || question.form.server !== undefined) return null;
  return (
    <dl className="answered">
      {answersOf(question).map(([asked, answered]) => (
        <div key={asked}>
          <dt>{asked}</dt>
          <dd>{answered}</dd>
        </div>
      ))}
    </dl>
  );
}

export function ToolSummary({ tool }: { tool: ToolItem }) {
  const target = toolTarget(tool);
  const { outcome } = tool;
  const verb = toolVerb(tool.toolName, outcome);
  const line = toolCommand(tool) === null ? target : target.replace(/ ⏎ .*/s, " …");
  const words = outcome === null ? "" : outcomeOf(tool, outcome, target);
  const isCommand = toolTraits(tool.toolName).printsOutput === true;
  const tone = outcome === null || isCommand ? "" : problemTone(outcomeWords(outcome.digest, tool.toolName, target));
  return (
    <>
      <span className="tool-verb">{toolCommand(tool) === null ? verb : <CommandSign name={verb} />}</span>
      <span
        className={toolCommand(tool) === null ? "tool-object cut" : "tool-object cut command"}
        title={visibleText(target)}
      >
        {toolFile(tool) === null || target === "" ? (
          visibleText(line) || (tool.phase === "running" ? (tool.title ?? "") : "")
        ) : (
          <PathWords path={target} />
        )}
      </span>
      <span className="tool-outcome" title={words || undefined}>
        <span className={`tool-words ${tone}`.trim()}>{words || phases[tool.phase]?.words?.()}</span>
        {outcome ? <UndoneWords record={outcome} /> : null}
        {outcome?.changes?.length ? <ChangeCount changes={outcome.changes} /> : null}
        {tool.phase === "writing" ? <WritingCount callId={tool.key} /> : null}
        {outcome !== null && outcome.durationMs >= 100 ? (
          <span className="tool-time">{formatDuration(outcome.durationMs)}</span>
        ) : null}
      </span>
    </>
  );
}

/** "$", as in a terminal; a screen reader says what was done. */
const CommandSign = ({ name }: { name: string }) => (
  <>
    <span className="visually-hidden">{name}</span>
    <span aria-hidden="true">$</span>
  </>
);

function outcomeOf(tool: ToolItem, outcome: NonNullable<ToolItem["outcome"]>, target: string): string {
  const { error, digest, ended, durationMs } = outcome;
  const refused = refusalWords(tool);
  if (refused !== undefined) return refused;
  const isCommand = ended?.exitCode !== undefined || ended?.signal !== undefined || ended?.by !== undefined;
  if (ended && isCommand) return endWords(ended, durationMs);
  const known = failureWords(error?.code) ?? answeredWords(tool.question);
  return known ?? outcomeSaid(outcomeWords(digest, tool.toolName, target));
}

/** How much of a call's input has come: only this renders while it is written. */
function WritingCount({ callId }: { callId: string }) {
  const chars = usePanelState(
    ({ session: { live } }) => (live && Object.hasOwn(live.callChars, callId) ? live.callChars[callId] : 0) ?? 0,
    true,
  );
  return <span className="tool-time">{plural(chars, "1 character", "{0} characters")}</span>;
}

function ToolActions({ tool }: { tool: ToolItem }) {
  const panel = usePanel();
  const { outcome } = tool;
  const [change, ...others] = outcome?.changes ?? [];
  const file = toolFile(tool);
  const button = (icon: string, label: string, onClick: () => unknown) => (
    <IconButton {...{ icon, label, onClick }} className="on-hover" />
  );
  return (
    <span className="tool-actions">
      {file !== null && button("go-to-file", t("Open {0}", file), () => panel.openFile(file))}
      {toolCommand(tool) && tool.phase !== "writing"
        ? button("terminal", t("Open in a terminal, not run"), () => panel.ask("openTerminal", { callId: tool.key }))
        : null}
      {outcome === null
        ? null
        : button("law", t("Which instructions were in view"), () => panel.ask("openInView", { callId: tool.key }))}
      {outcome && change && others.length === 0 ? <EditActions record={outcome} change={change} /> : null}
    </span>
  );
}
