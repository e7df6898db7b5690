import { memo, type ReactNode, useLayoutEffect, useRef } from "react";
import type { ApprovalAction, ApprovalAnswer } from "../../../../src/shared/approval";
import { errorMessage } from "../../../../src/shared/errorMessage";
import { namesText } from "../../../../src/shared/format";
import { type HookRun, hookOutcome } from "../../../../src/shared/hooks";
import { plural, t } from "../../../../src/shared/l10n";
import { forbiddenWords, toolVerb } from "../../../../src/shared/outcomeSaid";
import type { FileChange } from "../../../../src/shared/toolResult";
import { toolTraits } from "../../../../src/shared/toolTraits";
import { Icon, LinkButton } from "../../controls/controls";
import { LinkedLine } from "../../markdown/render";
import { useAnswer } from "../../panel/answers";
import { usePanel } from "../../panel/hooks";
import type { ChangingRecord } from "../../store/changes";
import type { QuestionState, ToolItem } from "../../store/state";
import { exactLine, formatDuration, sizeText, visibleText } from "../../text/format";
import { isFailureLine, refusalWords, terminalLines, toolCommand, toolTarget } from "../../text/toolWords";
import { ChangeCount, Diffs } from "../changes/Diff";
import { EditActions } from "../changes/Revert";

/** What a card shows when it is open: the diff of an edit, the output of a command, the text of any other result. */
export function ToolBody({ tool, output }: { tool: ToolItem; output: string }) {
  const { outcome, approval, question } = tool;
  const command = toolCommand(tool);
  const isCommand = command !== null;
  const refusal = refusalWords(tool);
  // of what did not run there is nothing but what the model was told
  const ran = !refusal || (outcome?.error?.code === "ABORTED" && outcome.durationMs > 0);
  const diffs = outcome?.changes?.filter(change => change.diff !== "") ?? [];
  const hasOutput = ran && (diffs.length === 0 || isCommand);
  return (
    <div className="tool-body">
      {command !== null && (command.length >= 60 || command.includes("\n")) ? (
        <pre className="command-text">{command}</pre>
      ) : null}
      {/* The line above says that a rule forbids it; here is which, in the person's own sentence where it is bound. */}
      {refusal ? (
        <p className="quiet">{outcome?.error?.by === "rule" ? forbiddenWords(outcome.error.message) : refusal}</p>
      ) : null}
      {approval?.answer && !refusal ? <AnswerLine answer={approval.answer} action={approval.action} /> : null}
      {question?.answer && question.form.server !== undefined ? <ServerAnswerLine question={question} /> : null}
      {outcome?.error && !hasOutput && !refusal ? <p className="tool-error">{outcome.error.message}</p> : null}
      {outcome ? <HookRuns runs={outcome.hooks ?? []} /> : null}
      {hasOutput ? <Output tool={tool} output={output} /> : null}
      {outcome && diffs.length > 0 ? (
        <EditDetails record={outcome} named={isCommand || outcome.changes?.length !== 1} />
      ) : null}
    </div>
  );
}

/** What hooks did around the call. */
function HookRuns({ runs }: { runs: readonly HookRun[] }) {
  if (runs.length === 0) return null;
  return (
    <ul className="hook-runs" aria-label={t("Hooks")}>
      {runs.map((run, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a run has no name of its own, and the list never changes
        <li key={at} className={`hook-run ${run.outcome}`}>
          <Icon name={run.outcome === "ok" || run.outcome === "allowed" ? "check" : hookIcons[run.outcome]} />
          <span>
            {run.event} {hookOutcome(run.outcome)}
          </span>
          <code className="cut" title={run.source}>
            {visibleText(run.command)}
          </code>
          <span className="tool-time">{formatDuration(run.durationMs)}</span>
          {run.text ? <pre className="hook-text">{visibleText(run.text)}</pre> : null}
        </li>
      ))}
    </ul>
  );
}

const hookIcons = {
  denied: "circle-slash",
  asked: "question",
  changed: "edit",
  failed: "warning",
  timeout: "warning",
  stopped: "circle-slash",
};

/** What an answer did beyond allowing this once. */
function AnswerLine({ answer, action: { denied = [] } }: { answer: ApprovalAnswer; action: ApprovalAction }) {
  const { scope, edited, unsaved, rules } = answer;
  const said = [
    ...denied.map(({ words }) => t("{0}: allowed after all.", exactLine(words))),
    ...(scope === "session" ? [t("Allowed for this session.")] : []),
    ...(rules ? [t("Always allowed: {0}.", namesText(rules.map(exactLine)))] : []),
    ...(unsaved === "save" ? [t("Unsaved files were saved first.")] : []),
    ...(unsaved === "leave" ? [t("Unsaved files were left unsaved.")] : []),
    ...(edited ? [t("You changed it first:")] : []),
  ];
  return said.length === 0 ? null : (
    <p className="quiet">
      {said.join(" ")} {edited ? <ChangeCount changes={[edited]} /> : null}
    </p>
  );
}

/** What a person did about a question of the server's; what they wrote is between the two. */
function ServerAnswerLine({ question: { form, answer } }: { question: QuestionState }) {
  const words = {
    accept: form.url === undefined ? t("You answered the server.") : t("You opened the server's address:"),
    decline: t("You declined to answer the server."),
    cancel: t("The server got no answer."),
  };
  return (
    <p className="quiet">
      {words[answer?.action ?? "cancel"]}
      {form.url === undefined ? null : <span className="exact"> {exactLine(form.url)}</span>}
    </p>
  );
}

/** A command may change many: of these the card shows the first. */
const MAX_CHANGES = 10;

/** @param acts in the line that names a file is what can be done with it; absent: where there are several */
export function EditDetails({ record, named, acts }: { record: ChangingRecord; named: boolean; acts?: true }) {
  const all = record.changes ?? [];
  const changes = all.slice(0, MAX_CHANGES);
  const more = all.length - changes.length;
  const action = (change: FileChange) => <EditActions record={record} change={change} />;
  return (
    <>
      <Diffs changes={changes} named={named} action={acts || all.length > 1 ? action : undefined} />
      {more > 0 ? <p className="quiet">{plural(more, "and 1 more file", "and {0} more files")}</p> : null}
    </>
  );
}

/** Live output until the result is there, then what it was, asked for when it is looked at. */
function Output({ tool, output }: { tool: ToolItem; output: string }) {
  if (tool.outcome !== null) return <ResultText tool={tool} output={output} />;
  if (output !== "") return <TerminalText text={output} label={outputLabel(tool)} command={isPrinting(tool)} />;
  return <TerminalText text={JSON.stringify(tool.input, null, 2)} label={t("Input of {0}", calledName(tool))} />;
}

const calledName = (tool: ToolItem) => toolTarget(tool) || toolVerb(tool.toolName);
const outputLabel = (tool: ToolItem) => t("Output of {0}", calledName(tool));
const isPrinting = ({ toolName }: ToolItem) => toolTraits(toolName).printsOutput === true;

/** What a result says: of a command, what it printed, as the terminal had it. */
function ResultText({ tool, output }: { tool: ToolItem; output: string }) {
  const panel = usePanel();
  // Why it cannot be had is said in its place, not as a notice.
  const ask = () => panel.request("printed", { callId: tool.key }).catch(errorMessage);
  const answer = useAnswer(ask, { cause: tool.key });
  if (typeof answer === "string") return <p className="tool-error">{answer}</p>;
  const { first, last, hidden, handle } = answer ?? { first: output, last: "" };
  if (first === "" && last === "") return <p className="quiet">{answer === null ? t("Loading…") : t("No output.")}</p>;
  const gap = hidden && (
    <p className="terminal-gap quiet">
      {hidden.lines > 0
        ? plural(hidden.lines, "1 line hidden", "{0} lines hidden")
        : t("{0} hidden", sizeText(hidden.bytes))}
      {handle && " · "}
      {handle && <LinkButton onClick={() => panel.ask("openHandle", { handle })}>{t("Show all")}</LinkButton>}
    </p>
  );
  const command = isPrinting(tool);
  const failed = command && tool.phase === "error" && answer !== null;
  return <TerminalText text={first} rest={last} label={outputLabel(tool)} {...{ gap, command, failed }} />;
}

type TerminalParts = { gap?: ReactNode; rest?: string; command?: boolean; failed?: boolean };
type TerminalTextProps = TerminalParts & { text: string; label: string };

/**
 * Text in the terminal's font. Of a command's output lines that tell of a failure are marked; where it failed it opens at the
 * first of them, else at its end, on which its box lies (`column-reverse`). Other text begins at its beginning.
 * @param gap between it and the rest
 */
function TerminalText({ text, gap, rest = "", label, command = false, failed = false }: TerminalTextProps) {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const first = failed ? box.current?.querySelector<HTMLElement>(".line.failure") : null;
    if (first)
      box.current?.scrollBy(
        0,
        first.getBoundingClientRect().top - box.current.getBoundingClientRect().top - first.offsetHeight,
      );
  }, [failed]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
    <section ref={box} className={command ? "terminal of-command" : "terminal"} tabIndex={0} aria-label={label}>
      <div>
        <Lines text={text} command={command} />
        {gap}
        {rest === "" ? null : <Lines text={rest} command={command} />}
      </div>
    </section>
  );
}

const Lines = memo(function Lines({ text, command }: { text: string; command: boolean }) {
  return (
    <pre>
      {terminalLines(text.replace(/\n$/, "")).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <span key={index} className={command && isFailureLine(line) ? "line failure" : "line"}>
          {line === "" ? " " : <LinkedLine text={line} />}
        </span>
      ))}
    </pre>
  );
});
