/** What hooks print, as scripts of people do, and what of it counts. */
import type { HookEvent } from "../../../../src/shared/hooks";

export interface PrintedRow {
  name: string;
  stdout?: string;
  stderr?: string;
  exitCode?: number | null;
  ended?: "exited" | "timeout" | "failed";
  event?: HookEvent;
  /** decision, or "halt", or "" for none */
  says: "deny" | "ask" | "allow" | "halt" | "";
  reason?: RegExp;
  context?: RegExp;
}

const deny =
  '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not here"}}';
const pretty = JSON.stringify(JSON.parse(deny), null, 2);
const block = '{"decision":"block","reason":"not here"}';
const ask = pretty.replace('"deny"', '"ask"');
const many = [pretty.replace('"deny"', '"allow"'), pretty, JSON.stringify({ suppressOutput: true }, null, 2)];
const info = '{"level":"info"}';
const allow = '{"permissionDecision":"allow"}';
const told = { tool_name: "Write", tool_input: { content: '"decision": "block"' } };
const no = /not here/;
const prompt = { event: "UserPromptSubmit" } as const;

/** printed on stdout, with the reason "not here" */
const denials: Record<string, string> = {
  "between log lines, on many": `[info] start\n${pretty}\n[info] end\n`,
  "behind a prefix on its line": `guard.sh: ${deny}`,
  "with a byte order mark": `\uFEFF${deny}`,
  "as Windows' tools write it": `\uFFFD\uFFFD${[...deny].join("\0")}\0`,
  "behind an object that allows": `{"decision":"approve"}\n${deny}`,
  "before an object that allows": `${deny}${deny.replace("deny", "allow")}`,
  "in a list": `[${deny}]`,
  "as JavaScript prints an object": "{ decision: 'block', reason: 'not here' }",
  "as a text of JSON": JSON.stringify(deny),
  "at the top, in another word for it": '{"permissionDecision":"refuse","reason":"not here"}',
  "in snake case": '{"permission_decision":"deny","permission_decision_reason":"not here"}',
  "decision as an object": '{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"not here"}}}',
  "with a systemMessage alone": '{"decision":"block","systemMessage":"not here"}',
  "beside fields of the wrong kind":
    '{"decision":"block","reason":"not here","continue":"yes","hookSpecificOutput":"x"}',
  "with quotes in its reason, no JSON": '{"decision":"block","reason":"do "not here" do"}',
  "cut off": '{"decision":"block","reason":"not here',
  "in another object": `{"result":${block}}`,
};

export const printedRows: readonly PrintedRow[] = [
  ...Object.entries(denials).map(([name, stdout]): PrintedRow => ({ name, stdout, says: "deny", reason: no })),
  ...["stdout", "stderr"].flatMap(to =>
    Object.entries({
      "over many lines behind a log object": `${info}\n${pretty}`,
      "over many lines before other braces": `${pretty}\nif (x) {}`,
      "between answers over many lines": many.join("\n"),
      "ask, over many lines behind a log object": `${info}\n${ask}`,
    }).map(([name, text]): PrintedRow => {
      const says = name.startsWith("ask") ? "ask" : "deny";
      return { name: `${name}, on ${to}`, ...Object.fromEntries([[to, text]]), says, reason: no };
    }),
  ),
  // without a reason
  {
    name: "put in as a text",
    stdout: JSON.stringify({ hookSpecificOutput: '{"permissionDecision":"deny"}' }),
    says: "deny",
  },
  {
    name: "two places that differ",
    stdout: '{"decision":"approve","hookSpecificOutput":{"permissionDecision":"deny"}}',
    ...{ says: "deny", reason: /no reason/ },
  },
  { name: "a reason that is no text", stdout: '{"decision":"block","reason":{"a":1}}', says: "deny", reason: /no rea/ },
  // how it ended
  { name: "with exit code 1", stdout: deny, exitCode: 1, says: "deny", reason: no },
  { name: "before its time was over", stdout: deny, exitCode: null, ended: "timeout", says: "deny", reason: no },
  { name: "exit code 2 and stderr", stderr: "not here", exitCode: 2, says: "deny", reason: no },
  { name: "exit code 2 and stdout", stdout: "not here", exitCode: 2, says: "deny", reason: no },
  { name: "exit code 2 and an object", stdout: deny, exitCode: 2, says: "deny", reason: /^not here$/ },
  { name: "exit code 2 and a yes", stdout: allow, stderr: "not here", exitCode: 2, says: "deny", reason: no },
  { name: "allow with exit code 1", stdout: allow, exitCode: 1, says: "" },
  { name: "allow on stderr", stderr: allow, says: "" },
  { name: "allow behind a log line", stdout: 'log\n{"decision":"approve"}', says: "allow" },
  {
    name: "ask and allow",
    stdout: `${allow}\n{"permissionDecision":"ask","reason":"not here"}`,
    says: "ask",
    reason: no,
  },
  { name: "continue: false", stdout: '{"continue":false,"stopReason":"not here"}', says: "halt", reason: no },
  { name: "as Python writes it", stdout: '{"continue":"False","stopReason":"not here"}', says: "halt" },
  { name: "continue: false behind a log line, cut off", stdout: 'log\n{"continue": false, "stopRea', says: "halt" },
  {
    name: "continue: false in another object",
    stdout: '{"result":{"continue":false},"systemMessage":"a"}',
    says: "halt",
  },
  { name: "continue: false at the start", event: "SessionStart", stdout: '{"continue": false, "stop', says: "halt" },
  // nothing is said
  { name: "defer", stdout: '{"hookSpecificOutput":{"permissionDecision":"defer"}}', says: "" },
  { name: "a log of objects", stdout: '{"level":"info","msg":"block"}\n{"level":"info","msg":"deny"}', says: "" },
  { name: "said about an object", stdout: "It would print {x} and decision: block", says: "" },
  { name: "what it was told, printed again behind a word", stdout: `input: ${JSON.stringify(told)}`, says: "" },
  { name: "plain text", stdout: "All files were looked at.", says: "" },
  // where plain text is for the model
  { name: "context of a prompt", stdout: "the branch is main", ...prompt, says: "", context: /^the branch is main$/ },
  {
    name: "context with an object",
    stdout: 'log\n{"hookSpecificOutput":{"additionalContext":"the branch"}}',
    ...{ event: "SessionStart", says: "", context: /^log\nthe branch$/ },
  },
  { name: "a prompt refused behind a log line", stdout: `log\n${block}`, ...prompt, says: "deny", reason: no },
  {
    name: "a prompt refused over many lines behind another answer",
    stdout: `{"systemMessage":"a } \\" {"}\n${JSON.stringify(JSON.parse(block), null, 2)}`,
    ...{ ...prompt, says: "deny", reason: no },
  },
  {
    name: "a text about decisions at the start",
    stdout: 'The API gives {"id": 1, "permission": "no"} or {"decision": "ask"}.',
    ...{ event: "SessionStart", says: "", context: /^The API gives/ },
  },
  {
    name: "a text with an object for a prompt",
    stdout: 'The settings are {"a": {"b": 1}} now.',
    ...{ ...prompt, says: "", context: /^The settings are \{"a": \{"b": 1\}\} now\.$/ },
  },
];
