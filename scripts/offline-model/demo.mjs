/**
 * The script for the sample project (sample/): finds out why a test fails, repairs it, runs the tests again. Each answer
 * follows from the conversation alone, and from what the tools really said: a denied edit or a test that still fails ends
 * it with just that.
 *
 * @typedef {ReturnType<typeof currentTurn> & { say: ReturnType<typeof wordsFor> }} Turn
 * @typedef {import("./server.mjs").OfflineAnswer} OfflineAnswer
 */
import { callsOf, currentTurn, numberedLines, readText } from "./conversation.mjs";
import { wordsFor } from "./demoWords.mjs";
import { smallAnswer } from "./small.mjs";
import { summarise, summaryInstruction } from "./summary.mjs";

const SOURCE = "src/invoice.js";
const TEST = "test/invoice.test.js";
const WRONG = "  return Math.floor(cents);";
const RIGHT = "  return Math.round(cents);";

const FAILED =
  /^(NOT_FOUND|OUTSIDE_WORKSPACE|BINARY|TOO_LARGE|NOT_READ|STALE|NO_MATCH|AMBIGUOUS|CONFLICT|DENIED|TIMEOUT|ABORTED|INVALID_INPUT|UNKNOWN_TOOL|IO)\b/;

/** @param {import("./server.mjs").OfflineRequest} request @returns {OfflineAnswer} */
export function demo(request) {
  if (summaryInstruction(request) !== undefined) return summarise(request);
  const small = smallAnswer(request);
  if (small) return small;
  const whole = currentTurn(request);
  const say = wordsFor(whole.prompt);
  if (!request.tools.includes("Read")) return { text: `OK. ${say.who}` };
  // What a crash interrupted is done again.
  const turn = { ...whole, say, calls: whole.calls.filter(call => !call.result?.startsWith("INTERRUPTED")) };
  if (/\b(fix|repair|failing|fails|broken|round\w*)\b|修复|失败|修正|舍入/i.test(turn.prompt)) return fix(turn);
  if (mentions(turn.prompt).length > 0) return tellAbout(turn);
  return { text: `${say.who} ${say.knows}\n\n${say.realModel}` };
}

/** @param {Turn} turn @returns {OfflineAnswer} */
function fix(turn) {
  const { say } = turn;
  const failed = turn.calls.find(call => call.name !== "TodoWrite" && FAILED.test(call.result ?? ""));
  if (failed) return { text: giveUp(failed, say) };
  const runs = callsOf(turn, "Bash").map(call => testOutcome(call.result));
  if (callsOf(turn, "TodoWrite").length === 0) return begin(turn);
  if (callsOf(turn, "Grep").length === 0) return look(say);
  if (!turn.calls.some(call => call.result?.includes("invoice.js")))
    return { text: `${say.elsewhere}\n\n${say.realModel}` };
  const unread = [SOURCE, TEST].filter(path => !callsOf(turn, "Read").some(call => call.input?.file_path === path));
  if (unread.length > 0) {
    return {
      text: say.sources,
      calls: unread.map(path => ({ name: "Read", input: { file_path: path } })),
    };
  }
  if (runs.length === 0) return { text: say.tests, calls: [runTests(say)] };
  if (callsOf(turn, "Edit").length === 0) return repair(turn, runs[0]);
  if (runs.length === 1) return { text: say.again, calls: [todos(2, say), runTests(say)] };
  if (turn.calls.at(-1)?.name !== "TodoWrite") return { calls: [todos(runs[1]?.failed === 0 ? 4 : 3, say)] };
  return { text: conclude(runs[1], say) };
}

/** @param {Turn} turn @returns {OfflineAnswer} */
function begin({ say, prompt }) {
  return {
    reasoning: say.thought,
    text: `${say.who}\n\n${say.plan}`,
    calls: [todos(0, say), ...mentions(prompt).map(input => ({ name: "Read", input }))],
  };
}

/** @returns {OfflineAnswer} */
function look(say) {
  return {
    text: say.look,
    calls: [
      { name: "LS", input: { depth: 2 } },
      { name: "Grep", input: { pattern: "roundTotal", output_mode: "content" } },
    ],
  };
}

/** @param {Turn} turn @returns {OfflineAnswer} */
function repair(turn, run) {
  const { say } = turn;
  if (run.failed === 0) return { text: say.passAlready(run.passed ?? "") };
  const source = readText(callsOf(turn, "Read").find(call => call.input?.file_path === SOURCE)?.result);
  if (!source?.includes(WRONG)) return { text: say.otherLine };
  const input = { file_path: SOURCE, old_string: WRONG, new_string: RIGHT };
  return { text: say.cause, calls: [todos(1, say), { name: "Edit", input }] };
}

function conclude(run, say) {
  const change = `\`\`\`diff\n-${WRONG}\n+${RIGHT}\n\`\`\``;
  if (run.failed === 0) return `${say.repaired(run.passed ?? "")}\n\n${change}\n\n${say.realModel}`;
  return say.notDone(run.failed === undefined ? say.unknownEnd : say.stillFail(run.failed), change);
}

function giveUp({ name, result }, say) {
  const why = (result ?? "").split("\n", 1)[0];
  // What follows is for a model.
  const denied = /^DENIED: (.+?\.(?= |$)|.+)/.exec(why)?.[1];
  return denied ? say.denied(name, denied) : say.failed(name, why);
}

/** @param {Turn} turn @returns {OfflineAnswer} */
function tellAbout(turn) {
  const { say } = turn;
  const reads = callsOf(turn, "Read");
  if (reads.length === 0) {
    return {
      text: `${say.who} ${say.counts}`,
      calls: mentions(turn.prompt).map(input => ({ name: "Read", input })),
    };
  }
  const facts = reads.map(({ input, result }) => {
    const lines = numberedLines(result);
    const [first] = lines;
    const last = lines.at(-1);
    if (!first || !last) return say.unreadable(input?.file_path, (result ?? "").split("\n", 1)[0]);
    const beginning = lines.find(line => line.text.trim())?.text.trim() ?? "";
    const range = first.number === 1 ? "" : { from: first.number, to: last.number };
    return say.lines(input?.file_path, lines.length, range, beginning);
  });
  return { text: `${facts.join("\n")}\n\n${say.noMore} ${say.realModel}` };
}

/** `@path` and `@path:3-8` in the user's words, as inputs for Read. @param {string} prompt */
function mentions(prompt) {
  return [...prompt.matchAll(/(?:^|[\s("'`])@((?:[\w.-]+\/)*[\w-]+(?:\.[\w-]+)+)(?::(\d+)(?:-(\d+))?)?/g)].map(
    ([, file_path, first, last]) => ({
      file_path,
      ...(first ? { offset: Number(first), limit: Number(last ?? first) - Number(first) + 1 } : {}),
    }),
  );
}

/** From the summary of Node's test runner, in both its formats. @param {string | undefined} result */
function testOutcome(result) {
  const count = word => {
    const found = result?.match(new RegExp(`^(?:\\s*\\d+[\\t→])?\\s*[ℹ#] ${word} (\\d+)`, "m"));
    return found ? Number(found[1]) : undefined;
  };
  return { passed: count("pass"), failed: count("fail") };
}

function runTests(say) {
  return { name: "Bash", input: { command: "npm test", description: say.run } };
}

/** @param {number} done how many of the four are completed; the next one is under way */
function todos(done, say) {
  const status = index => (index < done ? "completed" : index === done ? "in_progress" : "pending");
  const list = say.todos.map((content, index) => ({ content, status: status(index) }));
  return { name: "TodoWrite", input: { todos: list } };
}
