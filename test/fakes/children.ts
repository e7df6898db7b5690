/** Sessions with children, as the core makes them: a session of its own below its caller's, and records in the caller's log. */
import { createSession, openSession } from "../../src/core/agent/session/openSession";
import type { Session } from "../../src/core/agent/session/session";
import { toHandle } from "../../src/core/ground/text/format";
import { changesIn } from "../../src/core/log/putBacks";
import type { RecordOf } from "../../src/shared/records";
import { runTurn, type start } from "./agent";
import { fullSession } from "./proof";
import { messageRecord, resultRecord, turnEndRecord } from "./records";
import type { ShellScript } from "./shell";

type Agent = Pick<Awaited<ReturnType<typeof start>>, "ports" | "models">;
type Plays = Parameters<Agent["models"]["play"]>;

export const budget: RecordOf<"child">["budget"] = {
  ...{ tokens: 200_000, minutes: 20, children: 0, model: "scripted", tools: ["Read"], files: "workspace", hosts: [] },
};

export const childRecord = (more: Partial<RecordOf<"child">>) => ({
  ...{ kind: "child" as const, phase: "begun" as const, childId: "ses_c", messageId: "m", callId: "c", turn: 1 },
  ...{ agent: "explore", title: "Look around", ...more },
});

/**
 * A turn in which the caller gives a task away. Its report names all that the child saw.
 * @param behind true: the turn ends first
 * @param meanwhile what happens in the child's session before that is closed
 */
export async function delegated(
  caller: Session,
  { ports, models }: Agent,
  plays: Plays,
  {
    behind = false,
    by = {},
    meanwhile,
  }: { behind?: boolean; by?: Partial<RecordOf<"child">>; meanwhile?: (child: Session) => Promise<unknown> } = {},
) {
  const { history } = caller;
  const turn = history.conversation.turn + 1;
  const [messageId, callId, childId] = [ports.ids.next("msg"), ports.ids.next("call"), ports.ids.next("ses")];
  const task = {
    type: "dynamic-tool" as const,
    toolName: "Task",
    toolCallId: callId,
    state: "input-available" as const,
  };
  const about = childRecord({ childId, messageId, callId, turn, ...by });
  await history.append(messageRecord("user", "Give it away", { id: ports.ids.next("msg"), turn }));
  await history.append(
    messageRecord("assistant", "", { id: messageId, turn, step: 1, parts: [{ ...task, input: { description: "x" } }] }),
  );
  const begun = await history.append({ ...about, budget });
  const child = await createSession({ ...ports, storage: history.files.children! }, childId);
  models.play(...plays);
  await runTurn(child, "The task.");
  await meanwhile?.(child);
  const { records, files } = child.history;
  const changes = records.flatMap(changesIn);
  for (const sha256 of changes.flatMap(({ before, after }) => [before, after]))
    if (sha256) await history.files.putSnapshot(sha256, (await files.getSnapshot(sha256)) ?? "");
  const handles = records.flatMap(record =>
    record.kind === "result" && record.raw ? toHandle(record.raw.sha256) : [],
  );
  const report = handles.map(handle => `It is so. ${handle}`).join("\n");
  const usage = { input: 1_000, output: 50, cost: 0.25 };
  await child.close();
  const result = resultRecord({ messageId, callId, turn, toolName: "Task", digest: "Task", forms: { shown: report } });
  if (behind) await history.appendAll([result, turnEndRecord(turn)]);
  const ended = { ...about, phase: "ended" as const, reason: "done" as const, usage, durationMs: 7, changes };
  const last = await history.append(ended);
  if (!behind) await history.appendAll([result, turnEndRecord(turn)]);
  return { childId, messageId, callId, turn, begun, ended: last, handles, usage };
}

/** A whole session whose child has a child: `below` is its id. Each sees what nobody else sees. */
export async function sessionTree() {
  const lines = (word: string): ShellScript => ({ output: [["stdout", `${word} 文字 \u{1f600}\n`.repeat(400)]] });
  const agent = await fullSession({ shell: { "*": lines("line"), look: lines("seen"), below: lines("deep") } });
  const session = await openSession(agent.ports, agent.id);
  const run = (command: string) => [{ calls: [{ name: "Bash", input: { command } }] }, { text: "Seen." }];
  let below = "";
  const given = await delegated(session, agent, run("look"), {
    meanwhile: async child => {
      below = (await delegated(child, agent, run("below"))).childId;
    },
  });
  await session.close();
  return { ...agent, given, below };
}

/** A kind that a file describes: with all tools of its caller. */
export function addKind({ skills }: Session, name: string, text = "Write."): void {
  const kind = { name, path: `.claude/agents/${name}.md`, description: "writes", text, trust: "rules" as const };
  skills.current = { ...skills.current, agents: [{ ...kind, without: [], skills: [], warnings: [], cutBytes: 0 }] };
}
