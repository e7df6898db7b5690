import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { errorMessage } from "../../../src/shared/errorMessage";
import type { ApprovalAnswer } from "../../../src/shared/records";
import { toolPresentation } from "../../../src/shared/toolPresentation";
import type { FileChange } from "../../../src/shared/toolResult";
import { LinkButton } from "../controls/controls";
import { splitHandles } from "../markdown/links";
import { HandleLink } from "../markdown/render";
import { usePanel } from "../panel/hooks";
import type { ToolItem } from "../store/state";
import { failureWords, isFailureLine, terminalLines, toolCommand } from "../text/toolWords";
import { ChangeCount, Diffs } from "./Diff";
import { EditRevert } from "./Revert";

/** What a card shows when it is open: the diff of an edit, the output of a command, the text of any other result. */
export function ToolBody({ tool, output }: { tool: ToolItem; output: string }) {
  const { outcome, approval } = tool;
  const command = toolCommand(tool);
  const isCommand = command !== null;
  const diffs = outcome?.changes.filter(change => change.diff !== "") ?? [];
  return (
    <div className="tool-body">
      {command !== null && (command.length >= 60 || command.includes("\n")) ? (
        <pre className="command-text">{command}</pre>
      ) : null}
      {approval?.answer ? <AnswerLine answer={approval.answer} /> : null}
      {outcome?.error && outcome.code !== "EXIT" ? (
        <p className="tool-error">{failureWords(outcome.code)?.said ?? outcome.error}</p>
      ) : null}
      {diffs.length === 0 || isCommand ? <Output tool={tool} output={output} /> : null}
      {diffs.length > 0 ? <EditDetails tool={tool} named={isCommand || tool.outcome?.changes.length !== 1} /> : null}
    </div>
  );
}

function AnswerLine({ answer }: { answer: ApprovalAnswer }) {
  const { decision, scope, edited, unsaved } = answer;
  return (
    <p className="quiet">
      {answerWords[decision][scope]}
      {decision === "allow" && unsaved ? unsavedWords[unsaved] : null}
      {edited ? (
        <>
          {" You changed the proposal before accepting it: "}
          <ChangeCount changes={[edited]} />
        </>
      ) : null}
    </p>
  );
}

const answerWords = {
  allow: { once: "You allowed this.", session: "You allowed this for the session." },
  deny: { once: "You denied this.", session: "You denied this." },
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
  const label = `Output of ${tool.toolName}`;
  if (details.problem !== undefined) return <p className="tool-error">{details.problem}</p>;
  if (text !== "")
    return <TerminalText text={text} label={label} command={toolPresentation(tool.toolName).printsOutput === true} />;
  if (ended) return <p className="quiet">{details.text === undefined ? "Loading…" : "No output."}</p>;
  return (
    <TerminalText text={JSON.stringify(tool.input, null, 2)} label={`Input of ${tool.toolName}`} command={false} />
  );
}

/** Text in the terminal's font. Of a command's output lines that tell of a failure are marked, and its end is shown; other text begins at its beginning. */
function TerminalText({ text, label, command }: { text: string; label: string; command: boolean }) {
  const box = useRef<HTMLElement>(null);
  const lines = useMemo(() => terminalLines(text.replace(/\n$/, "")), [text]);
  const atEnd = useRef(command);
  // biome-ignore lint/correctness/useExhaustiveDependencies: to be done whenever the text changed
  useLayoutEffect(() => {
    if (box.current !== null && atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text]);
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
  if (!text.includes("obs:")) return text;
  return splitHandles(text).map((piece, index) =>
    piece.target.kind === "handle" ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
      <HandleLink key={index} handle={piece.target.handle}>
        {piece.text}
      </HandleLink>
    ) : (
      piece.text
    ),
  );
}
