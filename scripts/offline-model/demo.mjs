/**
 * The script for the sample project (sample/): finds out why a test fails, repairs it, runs the tests again. Each answer
 * follows from the conversation alone, and from what the tools really said: a denied edit or a test that still fails ends
 * it with just that.
 *
 * @typedef {ReturnType<typeof currentTurn>} Turn
 * @typedef {import("./server.mjs").OfflineAnswer} OfflineAnswer
 */
import { callsOf, currentTurn, numberedLines, readText } from "./conversation.mjs";
import { smallAnswer } from "./small.mjs";
import { summarise, summaryInstruction } from "./summary.mjs";

const SOURCE = "src/invoice.js";
const TEST = "test/invoice.test.js";
const WRONG = "  return Math.floor(cents);";
const RIGHT = "  return Math.round(cents);";

const WHO =
  "This is Strata's offline model: no AI, but a script that plays one demo. The tools, the files and the test run are real.";
const REAL_MODEL =
  "To work with a real model, set `strata.model.baseUrl` and `strata.model.name` and store a key with **Strata: Set API Key** (in a terminal: `STRATA_MODEL_BASE_URL`, `STRATA_MODEL_NAME`, `OPENAI_API_KEY`).";

const FAILED =
  /^(NOT_FOUND|OUTSIDE_WORKSPACE|BINARY|TOO_LARGE|NOT_READ|STALE|NO_MATCH|AMBIGUOUS|CONFLICT|DENIED|TIMEOUT|ABORTED|INVALID_INPUT|UNKNOWN_TOOL|IO)\b/;

/** @param {import("./server.mjs").OfflineRequest} request @returns {OfflineAnswer} */
export function demo(request) {
  if (summaryInstruction(request) !== undefined) return summarise(request);
  const small = smallAnswer(request);
  if (small) return small;
  if (!request.tools.includes("Read")) return { text: `OK. ${WHO}` };
  const whole = currentTurn(request);
  // What a crash interrupted is done again.
  const turn = { ...whole, calls: whole.calls.filter(call => !call.result?.startsWith("INTERRUPTED")) };
  if (/\b(fix|repair|failing|fails|broken|round\w*)\b/i.test(turn.prompt)) return fix(turn);
  if (mentions(turn.prompt).length > 0) return tellAbout(turn);
  return {
    text: `${WHO} It knows one task; ask it to **fix the failing test**, or ask about a file, as in \`@${SOURCE}\`.\n\n${REAL_MODEL}`,
  };
}

/** @param {Turn} turn @returns {OfflineAnswer} */
function fix(turn) {
  const failed = turn.calls.find(call => call.name !== "TodoWrite" && FAILED.test(call.result ?? ""));
  if (failed) return { text: giveUp(failed) };
  const runs = callsOf(turn, "Bash").map(call => testOutcome(call.result));
  if (callsOf(turn, "TodoWrite").length === 0) return begin(turn);
  if (callsOf(turn, "Grep").length === 0) return look();
  if (!turn.calls.some(call => call.result?.includes("invoice.js"))) {
    return { text: `I find no \`invoice.js\` here, and the demo is about the sample project only.\n\n${REAL_MODEL}` };
  }
  const unread = [SOURCE, TEST].filter(path => !callsOf(turn, "Read").some(call => call.input?.file_path === path));
  if (unread.length > 0) {
    return {
      text: "The source and its test:",
      calls: unread.map(path => ({ name: "Read", input: { file_path: path } })),
    };
  }
  if (runs.length === 0) return { text: "Now the tests, to see it fail:", calls: [runTests()] };
  if (callsOf(turn, "Edit").length === 0) return repair(turn, runs[0]);
  if (runs.length === 1) return { text: "And the tests again:", calls: [todos(2), runTests()] };
  if (turn.calls.at(-1)?.name !== "TodoWrite") return { calls: [todos(runs[1]?.failed === 0 ? 4 : 3)] };
  return { text: conclude(runs[1]) };
}

/** @param {Turn} turn @returns {OfflineAnswer} */
function begin(turn) {
  return {
    reasoning: "The script's first step: write down the plan, then look around before touching anything.",
    text: `${WHO}\n\nI will find out why the test fails, repair the cause and run the tests again.`,
    calls: [todos(0), ...mentions(turn.prompt).map(input => ({ name: "Read", input }))],
  };
}

/** @returns {OfflineAnswer} */
function look() {
  return {
    text: "First a look around:",
    calls: [
      { name: "LS", input: { depth: 2 } },
      { name: "Grep", input: { pattern: "roundTotal", output_mode: "content" } },
    ],
  };
}

/** @param {Turn} turn @returns {OfflineAnswer} */
function repair(turn, run) {
  if (run.failed === 0) return { text: `All ${run.passed ?? ""} tests pass already: there is nothing to repair.` };
  const source = readText(callsOf(turn, "Read").find(call => call.input?.file_path === SOURCE)?.result);
  if (!source?.includes(WRONG)) {
    return {
      text: `\`${SOURCE}\` no longer holds the line that this script knows how to repair, so I leave it as it is.`,
    };
  }
  const input = { file_path: SOURCE, old_string: WRONG, new_string: RIGHT };
  return {
    text: "`roundTotal` cuts the fraction off, where its comment promises to round half up:",
    calls: [todos(1), { name: "Edit", input }],
  };
}

function conclude(run) {
  const change = `\`\`\`diff\n-${WRONG}\n+${RIGHT}\n\`\`\``;
  if (run.failed === 0) {
    return `**Repaired:** all ${run.passed ?? ""} tests pass now.\n\n\`roundTotal\` in \`${SOURCE}\` cut the fraction of a cent off; now it rounds half up:\n\n${change}\n\n${REAL_MODEL}`;
  }
  const seen =
    run.failed === undefined ? "The output does not say how the tests ended" : `${run.failed} of the tests still fail`;
  return `${seen}, so this is **not done**. I changed this line in \`${SOURCE}\`:\n\n${change}\n\nThe script knows nothing further to try.`;
}

function giveUp({ name, result }) {
  const why = (result ?? "").split("\n", 1)[0];
  if (!/^DENIED/.test(why))
    return `\`${name}\` failed, and the script knows no way around it, so I stop here:\n\n> ${why}`;
  const meaning = {
    Edit: "the file is unchanged and the test still fails",
    Bash: "I cannot tell whether the tests pass",
  };
  return `\`${name}\` was not allowed, so ${meaning[name] ?? "I cannot go on"}. I stop here.\n\n> ${why}`;
}

/** @param {Turn} turn @returns {OfflineAnswer} */
function tellAbout(turn) {
  const reads = callsOf(turn, "Read");
  if (reads.length === 0) {
    return {
      text: `${WHO} It can read the file and tell you what anyone could count.`,
      calls: mentions(turn.prompt).map(input => ({ name: "Read", input })),
    };
  }
  const facts = reads.map(({ input, result }) => {
    const lines = numberedLines(result);
    const [first] = lines;
    const last = lines.at(-1);
    if (!first || !last) return `- \`${input?.file_path}\` could not be read: ${(result ?? "").split("\n", 1)[0]}`;
    const beginning = lines.find(line => line.text.trim())?.text.trim() ?? "";
    const range = first.number === 1 ? "" : ` (${first.number} to ${last.number})`;
    return `- \`${input?.file_path}\`: I was shown ${lines.length} lines${range}; the first with text is \`${beginning}\`.`;
  });
  return { text: `${facts.join("\n")}\n\nMore than that a script cannot say. ${REAL_MODEL}` };
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

function runTests() {
  return { name: "Bash", input: { command: "npm test", description: "Run the tests" } };
}

/** @param {number} done how many of the four are completed; the next one is under way */
function todos(done) {
  const items = ["Find out why the test fails", "Repair the cause", "Run the tests again", "See that all tests pass"];
  const status = index => (index < done ? "completed" : index === done ? "in_progress" : "pending");
  const list = items.map((content, index) => ({ content, status: status(index) }));
  return { name: "TodoWrite", input: { todos: list } };
}
