import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { ApprovalAnswer } from "../../../src/shared/approval";
import { errorMessage } from "../../../src/shared/errorMessage";
import { type HookRun, hookOutcomes } from "../../../src/shared/hooks";
import type { FileChange } from "../../../src/shared/toolResult";
import { toolTraits } from "../../../src/shared/toolTraits";
import { Icon, LinkButton } from "../controls/controls";
import { splitHandles } from "../markdown/links";
import { HandleLink } from "../markdown/render";
import { usePanel } from "../panel/hooks";
import type { QuestionState, ToolItem } from "../store/state";
import { exactLine, formatDuration, visibleText } from "../text/format";
import { failureWords, isFailureLine, refusalWords, terminalLines, toolCommand, wholeOutput } from "../text/toolWords";
import { ChangeCount, Diffs } from "./Diff";
import { EditRevert } from "./Revert";

/** What a card shows when it is open: the diff of an edit, the output of a command, the text of any other result. */
export function ToolBody({ tool, output }: { tool: ToolItem; output: string }) {
  const { outcome, approval, question } = tool;
  const command = toolCommand(tool);
  const isCommand = command !== null;
  const refusal = refusalWords(tool);
  // of what did not run there is nothing but what the model was told
  const ran = !refusal || (outcome?.code === "ABORTED" && outcome.durationMs > 0);
  const diffs = outcome?.changes.filter(change => change.diff !== "") ?? [];
  return (
    <div className="tool-body">
      {command !== null && (command.length >= 60 || command.includes("\n")) ? (
        <pre className="command-text">{command}</pre>
      ) : null}
      {refusal ? <p className="quiet">{refusal.said}</p> : null}
      {approval?.answer && !refusal ? <AnswerLine answer={approval.answer} /> : null}
      {question?.answer && question.form.server !== undefined ? <ServerAnswerLine question={question} /> : null}
      {outcome?.error && outcome.code !== "EXIT" && !refusal ? (
        <p className="tool-error">{failureWords(outcome.code)?.said ?? outcome.error}</p>
      ) : null}
      {outcome ? <HookRuns runs={outcome.hooks} /> : null}
      {ran && (diffs.length === 0 || isCommand) ? <Output tool={tool} output={output} /> : null}
      {diffs.length > 0 ? <EditDetails tool={tool} named={isCommand || tool.outcome?.changes.length !== 1} /> : null}
    </div>
  );
}

/** What hooks did around the call. */
function HookRuns({ runs }: { runs: readonly HookRun[] }) {
  if (runs.length === 0) return null;
  return (
    <ul className="hook-runs" aria-label="Hooks">
      {runs.map((run, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a run has no name of its own, and the list never changes
        <li key={at} className={`hook-run ${run.outcome}`}>
          <Icon name={run.outcome === "ok" || run.outcome === "allowed" ? "check" : hookIcons[run.outcome]} />
          <span>
            {run.event} {hookOutcomes[run.outcome]}
          </span>
          <code title={run.source}>{visibleText(run.command)}</code>
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

function AnswerLine({ answer }: { answer: ApprovalAnswer }) {
  const { scope, edited, unsaved, rules } = answer;
  return (
    <p className="quiet">
      {answerWords[scope]}
      {rules ? ` The rule: ${rules.map(exactLine).join(", ")}.` : null}
      {unsaved ? unsavedWords[unsaved] : null}
      {edited ? (
        <>
          {" You changed the proposal before accepting it: "}
          <ChangeCount changes={[edited]} />
        </>
      ) : null}
    </p>
  );
}

/** What a person did about a question of the server's; what they wrote is between the two. */
function ServerAnswerLine({ question: { form, answer } }: { question: QuestionState }) {
  const given = Object.keys(answer?.values ?? {});
  const titles = form.fields.filter(({ name }) => given.includes(name)).map(({ title }) => visibleText(title));
  const done = {
    accept: form.url === undefined ? `you submitted ${titles.join(", ") || "nothing"}` : "you opened its address",
    decline: "you declined",
    cancel: "it was left without an answer",
  };
  return (
    <p className="quiet">
      The server asked you something: {answer ? done[answer.action] : ""}
      {form.url === undefined ? "." : <span className="exact"> {exactLine(form.url)}</span>}
    </p>
  );
}

const answerWords = {
  once: "You allowed this.",
  session: "You allowed this for the session.",
  always: "You allowed this from now on.",
};

const unsavedWords = { save: " Unsaved files were saved first.", leave: " Unsaved files were left unsaved." };

/** A command may change many: of these the card shows the first. */
const MAX_CHANGES = 10;

function EditDetails({ tool, named }: { tool: ToolItem; named: boolean }) {
  const panel = usePanel();
  const all = tool.outcome?.changes ?? [];
  const changes = all.slice(0, MAX_CHANGES);
  const more = all.length - changes.length;
  const action = (change: FileChange) => (
    <>
      <EditRevert tool={tool} change={change} />
      <LinkButton onClick={() => panel.ask("openDiff", { callId: tool.key, uri: change.uri })}>Diff</LinkButton>
    </>
  );
  return (
    <>
      <Diffs changes={changes} named={named} action={all.length > 1 ? action : undefined} />
      {more > 0 ? <p className="quiet">and {more} more files that it changed</p> : null}
    </>
  );
}

/** Live output until the result is there, then what the result says, asked for when it is looked at. */
function Output({ tool, output }: { tool: ToolItem; output: string }) {
  const panel = usePanel();
  const ended = tool.outcome !== null;
  const [details, setDetails] = useState<{ text?: string; problem?: string }>({});
  useEffect(() => {
    if (!ended) return;
    panel.details(tool.key).then(
      text => setDetails({ text }),
      (error: unknown) => setDetails({ problem: errorMessage(error) }),
    );
  }, [panel, tool.key, ended]);
  const text = details.text ?? output;
  const whole = details.text === undefined ? undefined : wholeOutput(details.text);
  const label = `Output of ${tool.toolName}`;
  if (details.problem !== undefined) return <p className="tool-error">{details.problem}</p>;
  if (text !== "")
    return (
      <>
        <TerminalText
          text={text}
          label={label}
          command={toolTraits(tool.toolName).printsOutput === true}
          failed={tool.phase === "error" && details.text !== undefined}
        />
        {whole ? (
          <LinkButton onClick={() => panel.ask("openHandle", { handle: whole.handle })}>{whole.words}</LinkButton>
        ) : null}
      </>
    );
  if (ended) return <p className="quiet">{details.text === undefined ? "Loading…" : "No output."}</p>;
  return (
    <TerminalText
      text={JSON.stringify(tool.input, null, 2)}
      label={`Input of ${tool.toolName}`}
      command={false}
      failed={false}
    />
  );
}

interface TerminalTextProps {
  text: string;
  label: string;
  command: boolean;
  failed: boolean;
}

/**
 * Text in the terminal's font. Of a command's output lines that tell of a failure are marked; where it failed it opens at the
 * first of them, else at its end. Other text begins at its beginning.
 */
function TerminalText({ text, label, command, failed }: TerminalTextProps) {
  const box = useRef<HTMLElement>(null);
  const lines = useMemo(() => terminalLines(text.replace(/\n$/, "")), [text]);
  const atEnd = useRef(command);
  // biome-ignore lint/correctness/useExhaustiveDependencies: to be done whenever the text changed
  useLayoutEffect(() => {
    if (box.current === null || !atEnd.current) return;
    const first = failed ? box.current.querySelector<HTMLElement>(".line.failure") : null;
    box.current.scrollTop = first === null ? box.current.scrollHeight : first.offsetTop - first.offsetHeight;
  }, [text, failed]);
  const onScroll = () => {
    const element = box.current;
    if (element !== null) atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 8;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
    <section ref={box} className="terminal" tabIndex={0} aria-label={label} onScroll={onScroll}>
      <pre>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          <span key={index} className={command && isFailureLine(line) ? "line failure" : "line"}>
            {line === "" ? " " : <Line text={line} />}
          </span>
        ))}
      </pre>
    </section>
  );
}

/** A handle in it opens the output that it names. */
function Line({ text }: { text: string }) {
  const pieces = text.includes("obs:") ? splitHandles(text) : [{ text, target: { kind: "none" } as const }];
  return (
    <>
      {pieces.map((piece, index) =>
        piece.target.kind === "handle" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
          <HandleLink key={index} handle={piece.target.handle}>
            {piece.text}
          </HandleLink>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}
