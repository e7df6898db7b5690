/**
 * The offline model's answer where Strata asks for the summary of a compaction (prompts/summary.md): what a script can tell of
 * the conversation by counting and quoting, under the headings that are asked for. Pure.
 *
 * @typedef {import("./server.mjs").OfflineRequest} OfflineRequest
 * @typedef {import("./server.mjs").OfflineMessage} OfflineMessage
 * @typedef {{id: string, name: string, input: any, result: string}} Done a call with its result
 * @typedef {{words: string, answer: string, calls: Done[]}} Round
 */
import { ownWords } from "./conversation.mjs";

const ASKED = /^Write the archive summary of /m;
/** Rounds that are named, the newest; a summary has to be short. */
const MOST_ROUNDS = 25;
const MOST_LINES = 12;

/** The instruction of a request for a summary; undefined: it is none. @param {OfflineRequest} request */
export function summaryInstruction({ messages }) {
  const last = messages.findLast(message => message.role === "user");
  return last && ASKED.test(last.text) ? last.text : undefined;
}

/** @param {OfflineRequest} request @returns {import("./server.mjs").OfflineAnswer} */
export function summarise(request) {
  const rounds = roundsOf(request);
  const calls = rounds.flatMap(round => round.calls);
  const parts = [
    ["### 🎯 Objectives & Status", label("Objectives", objectives(rounds))],
    ["### 🏗️ Technical Context (Static)", label("Stack", stack(calls))],
    ['### ✅ Completed Milestones (The "Done" Pile)', milestones(calls)],
    [
      "### 🧠 Key Insights & Decisions (Persistent Memory)",
      [...label("Decisions", decisions(rounds)), ...label("Learnings", learnings(calls))],
    ],
    ["### 📂 File System State (Snapshot)", files(calls)],
  ];
  return { text: parts.map(([heading, lines]) => [heading, ...lines].join("\n")).join("\n\n") };
}

/** @param {OfflineRequest} request @returns {Round[]} */
function roundsOf({ messages }) {
  /** @type {Round[]} */
  const rounds = [];
  for (const message of messages) {
    const words = message.role === "user" ? ownWords(message.text) : "";
    if (words !== "") rounds.push({ words, answer: "", calls: [] });
    const round = rounds.at(-1);
    if (round === undefined || message.role !== "assistant") continue;
    if (message.text.trim() !== "") round.answer = message.text;
    for (const call of message.calls ?? []) {
      const result = messages.find(candidate => candidate.callId === call.id)?.text ?? "";
      round.calls.push({ ...call, result });
    }
  }
  return rounds;
}

/** @param {string} name @param {string[]} facts */
const label = (name, facts) => (facts.length === 0 ? [] : [`* **${name}**:`, ...facts.map(fact => `  - ${fact}`)]);

/** @param {Round[]} rounds */
function objectives(rounds) {
  const earlier = rounds.length - MOST_ROUNDS;
  return [
    ...(earlier > 0 ? [`${earlier} earlier rounds`] : []),
    ...rounds
      .slice(-MOST_ROUNDS)
      .map(({ words, answer }) => `${oneLine(words, 140)} → ${oneLine(answer, 140) || "no answer yet"}`),
  ];
}

/** @param {Done[]} calls */
function stack(calls) {
  const commands = distinct(calls.filter(({ name }) => name === "Bash").map(({ input }) => code(input?.command)));
  const endings = distinct(calls.map(({ input }) => /\.(\w+)$/.exec(input?.file_path ?? "")?.[1]).filter(Boolean));
  return [
    ...(commands.length > 0 ? [`Commands: ${commands.slice(0, MOST_LINES).join(", ")}`] : []),
    ...(endings.length > 0 ? [`Kinds of files: ${endings.map(ending => `.${ending}`).join(", ")}`] : []),
  ];
}

/** @param {Done[]} calls */
function milestones(calls) {
  const done = calls.filter(({ name, result }) => /^(Edit|MultiEdit|Write|Bash)$/.test(name) && !failed(result));
  return done.slice(-MOST_LINES).map(({ name, input, result }) => {
    const what = name === "Bash" ? code(input?.command) : `${name} ${code(input?.file_path)}`;
    return `* [✓] ${what} - ${withHandle(outcome(result), result)}`;
  });
}

/** In a finished round a result stands in its kept form, which is JSON. @param {string} result */
function outcome(result) {
  if (!result.startsWith('{"status"')) return oneLine(result, 100) || "done";
  const [, exit] = /"exitCode":(\d+)/.exec(result) ?? [];
  const [, added, removed] = /"added":(\d+),"removed":(\d+)/.exec(result) ?? [];
  if (exit !== undefined) return `exit code ${exit}`;
  return added === undefined ? "done" : `+${added} −${removed}`;
}

/** @param {Round[]} rounds */
function decisions(rounds) {
  const sentences = rounds.flatMap(
    ({ answer }) => answer.match(/[^.\n]*\b(?:because|instead of|so that|where)\b[^.\n]*\./g) ?? [],
  );
  return distinct(sentences.map(sentence => oneLine(sentence, 200))).slice(-MOST_LINES);
}

/** @param {Done[]} calls */
function learnings(calls) {
  return calls
    .filter(({ result }) => failed(result))
    .slice(-MOST_LINES)
    .map(({ name, input, result }) => {
      const line = result.split(/\\n|[\n",]+/).find(one => /\bfail|\bError\b|not ok|✖/.test(one)) ?? outcome(result);
      return `${name} ${code(input?.command ?? input?.file_path ?? input?.pattern)}: ${withHandle(oneLine(line, 160), result)}`;
    });
}

/** @param {Done[]} calls */
function files(calls) {
  const changes = new Map();
  for (const { name, input, result } of calls) {
    if (!/^(Edit|MultiEdit|Write)$/.test(name) || failed(result)) continue;
    const edits = name === "MultiEdit" ? (input?.edits ?? []) : [input];
    const words = name === "Write" ? "written as a whole" : edits.map(editWords).join("; ");
    changes.set(input?.file_path, words);
  }
  return [...changes].map(([path, words]) => `* ${code(path)}: ${words}`);
}

const editWords = edit => `${code(edit?.old_string)} became ${code(edit?.new_string)}`;

/** @param {string} result */
const failed = result => /^(?:[A-Z_]{3,}:|EXIT\b|\{"status":"error")|exit code [1-9]/m.test(result.slice(0, 400));

/** @param {string} line @param {string} result */
function withHandle(line, result) {
  const [handle] = result.match(/\bobs:[0-9a-f]{12}\b/) ?? [];
  return handle === undefined || line.includes(handle) ? line : `${line} ${handle}`;
}

/** @param {unknown} text */
const code = text => `\`${oneLine(String(text ?? ""), 80).replaceAll("`", "'")}\``;

/** @param {string} text @param {number} most */
function oneLine(text, most) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > most ? `${[...line].slice(0, most - 1).join("")}…` : line;
}

/** @template T @param {T[]} values */
const distinct = values => [...new Set(values)];
