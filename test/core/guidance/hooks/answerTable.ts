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
const no = /not here/;

export const printedRows: readonly PrintedRow[] = [
  { name: "alone", stdout: deny, says: "deny", reason: no },
  { name: "behind a log line", stdout: `checking the call\n${deny}`, says: "deny", reason: no },
  { name: "between log lines, on many", stdout: `[info] start\n${pretty}\n[info] end\n`, says: "deny", reason: no },
  { name: "behind a prefix on its line", stdout: `guard.sh: ${deny}`, says: "deny", reason: no },
  { name: "behind a warning with an open quote", stdout: `it's "odd\n${deny}`, says: "deny", reason: no },
  { name: "behind a brace that nothing closes", stdout: `if (x) {\n${deny}`, says: "deny", reason: no },
  { name: "with a byte order mark", stdout: `\uFEFF${deny}`, says: "deny", reason: no },
  { name: "as Windows' tools write it", stdout: `\uFFFD\uFFFD${[...deny].join("\0")}\0`, says: "deny", reason: no },
  { name: "in colours", stdout: `\u001b[31m${deny}\u001b[0m`, says: "deny", reason: no },
  { name: "behind an object that allows", stdout: `{"decision":"approve"}\n${deny}`, says: "deny", reason: no },
  { name: "before an object that allows", stdout: `${deny}${deny.replace("deny", "allow")}`, says: "deny", reason: no },
  { name: "in a list", stdout: `[${deny}]`, says: "deny", reason: no },
  {
    name: "put in as a text",
    stdout: JSON.stringify({ hookSpecificOutput: '{"permissionDecision":"deny"}' }),
    says: "deny",
  },
  { name: "in what stands for a permission", stdout: '{"permission":{"decision":"deny"}}', says: "deny" },
  { name: "as JavaScript prints an object", stdout: "{ decision: 'block', reason: 'not here' }", says: "deny" },
  { name: "in another word for it", stdout: '{"permissionDecision":"refuse","reason":"not here"}', says: "deny" },
  { name: "to go on, as Python writes it", stdout: '{"continue":"False","stopReason":"not here"}', says: "halt" },
  { name: "said about an object", stdout: "It would print {x} and decision: block", says: "" },
  {
    name: "in what it was told, printed again behind a word",
    stdout: `input: ${JSON.stringify({ tool_name: "Write", tool_input: { content: '"decision": "block"' } })}`,
    says: "",
  },
  { name: "as a text of JSON", stdout: JSON.stringify(deny), says: "deny", reason: no },
  { name: "in a block of Markdown", stdout: `\`\`\`json\n${pretty}\n\`\`\``, says: "deny", reason: no },
  {
    name: "at the top, in a field beside",
    stdout: '{"permissionDecision":"deny","reason":"not here"}',
    says: "deny",
    reason: no,
  },
  {
    name: "in snake case",
    stdout: '{"permission_decision":"deny","permission_decision_reason":"not here"}',
    says: "deny",
    reason: no,
  },
  { name: "decision: block", stdout: block, says: "deny", reason: no },
  {
    name: "decision as an object",
    stdout: '{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"not here"}}}',
    says: "deny",
    reason: no,
  },
  { name: "permission", stdout: '{"permission":"deny","agentMessage":"not here"}', says: "deny", reason: no },
  {
    name: "two places that differ",
    stdout: '{"decision":"approve","hookSpecificOutput":{"permissionDecision":"deny"}}',
    says: "deny",
    reason: /no reason/,
  },
  {
    name: "with a reason that is no text",
    stdout: '{"decision":"block","reason":{"a":1}}',
    says: "deny",
    reason: /no reason/,
  },
  {
    name: "with a systemMessage alone",
    stdout: '{"decision":"block","systemMessage":"not here"}',
    says: "deny",
    reason: no,
  },
  {
    name: "beside fields of the wrong kind",
    stdout: '{"decision":"block","reason":"not here","continue":"yes","hookSpecificOutput":"x"}',
    says: "deny",
    reason: no,
  },
  {
    name: "with quotes in its reason, no JSON",
    stdout: '{"decision":"block","reason":"do "not here" do"}',
    says: "deny",
    reason: no,
  },
  { name: "in single quotes", stdout: "{'decision': 'block', 'reason': 'not here'}", says: "deny", reason: no },
  { name: "cut off", stdout: '{"decision":"block","reason":"not here', says: "deny", reason: no },
  { name: "on stderr", stderr: deny, says: "deny", reason: no },
  { name: "with exit code 1", stdout: deny, exitCode: 1, says: "deny", reason: no },
  { name: "before it was killed", stdout: deny, exitCode: null, says: "deny", reason: no },
  { name: "before its time was over", stdout: deny, exitCode: null, ended: "timeout", says: "deny", reason: no },
  { name: "exit code 2 and stderr", stderr: "not here", exitCode: 2, says: "deny", reason: no },
  { name: "exit code 2 and stdout", stdout: "not here", exitCode: 2, says: "deny", reason: no },
  { name: "exit code 2 and an object", stdout: deny, exitCode: 2, says: "deny", reason: /^not here$/ },
  {
    name: "exit code 2 and an object that allows",
    stdout: '{"permissionDecision":"allow"}',
    stderr: "not here",
    exitCode: 2,
    says: "deny",
    reason: no,
  },
  {
    name: "ask behind a log line",
    stdout: 'log\n{"hookSpecificOutput":{"permissionDecision":"ask"}}',
    says: "ask",
    reason: /no reason/,
  },
  {
    name: "ask and allow",
    stdout: '{"permissionDecision":"allow"}\n{"permissionDecision":"ask","reason":"not here"}',
    says: "ask",
    reason: no,
  },
  { name: "continue: false", stdout: '{"continue":false,"stopReason":"not here"}', says: "halt", reason: no },
  { name: 'continue: "false"', stdout: '{"continue":"false","reason":"not here"}', says: "halt", reason: no },
  { name: "allow behind a log line", stdout: 'log\n{"decision":"approve"}', says: "allow" },
  { name: "allow with exit code 1", stdout: '{"permissionDecision":"allow"}', exitCode: 1, says: "" },
  { name: "allow on stderr", stderr: '{"permissionDecision":"allow"}', says: "" },
  { name: "defer", stdout: '{"hookSpecificOutput":{"permissionDecision":"defer"}}', says: "" },
  { name: "a log of objects", stdout: '{"level":"info","msg":"block"}\n{"level":"info","msg":"deny"}', says: "" },
  {
    name: "its input, printed",
    stdout: JSON.stringify({ tool_name: "Write", tool_input: { content: '{"decision":"block"}' } }),
    says: "",
  },
  { name: "plain text", stdout: "All files were looked at.", says: "" },
  {
    name: "context of a prompt",
    stdout: "the branch is main",
    event: "UserPromptSubmit",
    says: "",
    context: /^the branch is main$/,
  },
  {
    name: "context with an object",
    stdout: 'log\n{"hookSpecificOutput":{"additionalContext":"the branch"}}',
    event: "SessionStart",
    says: "",
    context: /^log\nthe branch$/,
  },
  {
    name: "a prompt refused behind a log line",
    stdout: 'log\n{"decision":"block","reason":"not here"}',
    event: "UserPromptSubmit",
    says: "deny",
    reason: no,
  },
  {
    name: "a text about refusing for a prompt",
    stdout: "Write decision: block into the log.",
    event: "UserPromptSubmit",
    says: "",
    context: /decision: block/,
  },
  { name: "in another object", stdout: `{"result":${block}}`, says: "deny", reason: no },
  { name: "in an object of a log", stdout: `{"level":"info","output":${deny}}`, says: "deny", reason: no },
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
  {
    name: "a prompt refused over many lines behind another answer",
    stdout: `{"systemMessage":"a } \\" {"}\n${JSON.stringify(JSON.parse(block), null, 2)}`,
    event: "UserPromptSubmit",
    says: "deny",
    reason: no,
  },
  {
    name: "a text with an object for a prompt",
    stdout: 'The settings are {"a": {"b": 1}} now.',
    event: "UserPromptSubmit",
    says: "",
    context: /^The settings are \{"a": \{"b": 1\}\} now\.$/,
  },
];
