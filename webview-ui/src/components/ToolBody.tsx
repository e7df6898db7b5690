import { useEffect, useState } from "react";
import { usePanel } from "../hooks";
import { messageOf } from "../panel";
import type { ToolItem } from "../store/state";
import { Diffs } from "./Diff";
import { TerminalText } from "./TerminalText";

/** What a card shows when it is open: the diff of an edit, the output of a command, the text of any other result. */
export function ToolBody({ tool, output }: { tool: ToolItem; output: string }) {
  const { outcome, approval } = tool;
  const diffs = outcome?.changes.filter(change => change.diff !== "") ?? [];
  return (
    <div className="tool-body">
      {tool.toolName === "Bash" ? <Command tool={tool} /> : null}
      {approval?.answer ? (
        <p className="quiet">{answerWords[approval.answer.decision][approval.answer.scope]}</p>
      ) : null}
      {outcome?.error && outcome.code !== "EXIT" ? <p className="tool-error">{outcome.error}</p> : null}
      {diffs.length > 0 ? <EditDetails tool={tool} /> : <Output tool={tool} output={output} />}
    </div>
  );
}

const answerWords = {
  allow: { once: "You allowed this.", session: "You allowed this for the session." },
  deny: { once: "You denied this.", session: "You denied this." },
};

/** The whole command, where the line had to cut it. */
function Command({ tool }: { tool: ToolItem }) {
  const input = tool.input;
  if (input === null || typeof input !== "object" || Array.isArray(input)) return null;
  const command = input.command;
  if (typeof command !== "string" || (command.length < 60 && !command.includes("\n"))) return null;
  return <pre className="command-text">{command}</pre>;
}

function EditDetails({ tool }: { tool: ToolItem }) {
  const panel = usePanel();
  const changes = tool.outcome?.changes ?? [];
  return (
    <>
      <Diffs changes={changes} named={changes.length > 1} />
      {changes.length > 1 ? (
        <div className="button-row">
          {changes.map(change => (
            <button
              key={change.uri}
              type="button"
              className="link"
              onClick={() => panel.openDiff(tool.key, change.uri)}
            >
              Diff {change.path}
            </button>
          ))}
        </div>
      ) : null}
    </>
  );
}

/** Live output until the result is there, then what the result says, asked for when it is looked at. */
function Output({ tool, output }: { tool: ToolItem; output: string }) {
  const ended = tool.outcome !== null;
  const details = useDetails(tool.key, ended);
  const text = details.text ?? output;
  const label = `Output of ${tool.toolName}`;
  if (details.problem !== null) return <p className="tool-error">{details.problem}</p>;
  if (text !== "") return <TerminalText text={text} label={label} command={tool.toolName === "Bash"} />;
  if (ended) return <p className="quiet">{details.text === null ? "Loading…" : "No output."}</p>;
  return (
    <TerminalText text={JSON.stringify(tool.input, null, 2)} label={`Input of ${tool.toolName}`} command={false} />
  );
}

function useDetails(callId: string, ended: boolean): { text: string | null; problem: string | null } {
  const panel = usePanel();
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (!ended) return;
    let current = true;
    panel.details(callId).then(
      whole => current && setText(whole),
      (error: unknown) => current && setProblem(messageOf(error)),
    );
    return () => {
      current = false;
    };
  }, [panel, callId, ended]);
  return { text, problem };
}
