/** What people said, out of records: theirs, word for word, and nobody else's. */
import assert from "node:assert/strict";
import { planChange } from "../../../../src/core/agent/session/sessionPlans";
import { wordsIn } from "../../../../src/core/log/ledger/said";
import { CARRY_OUT, sentBackText } from "../../../../src/core/log/plans/planText";
import type { LogRecord, NewRecord } from "../../../../src/shared/records";
import { messageRecord } from "../../../fakes/records";

type SaidWords = Parameters<typeof messageRecord>[2] & { role?: "user" | "assistant" };

let seq = 0;
const record = (fields: NewRecord): LogRecord => ({ id: `rec${++seq}`, seq, ts: 0, ...fields }) as LogRecord;

const message = (text: string, { role = "user", ...more }: SaidWords = {}) =>
  record(messageRecord(role, text, { id: `m${seq}`, ...more }));

const decision = (decision: "allow" | "deny", words: string, by: "user" | "stop" | "nobody" = "user") =>
  record({
    kind: "approval",
    approvalId: "a",
    action: { toolName: "Bash", callId: "c", title: "Run?", detail: { type: "read", paths: [] }, binds: "" },
    answer: { decision, scope: "once", words, by },
  });

const question = (answer: object | undefined, server?: string) =>
  record({
    kind: "question",
    questionId: "q",
    callId: "c",
    toolName: "AskUser",
    form: {
      ...(server && { server }),
      fields: [
        {
          type: "choice",
          name: "db",
          title: "Which database?",
          required: false,
          multiple: false,
          ownWords: true,
          options: [
            { value: "pg", label: "PostgreSQL 15" },
            { value: "my", label: "MySQL" },
          ],
        },
        { type: "text", name: "port", title: "Which port?", required: false },
      ],
    },
    ...(answer && { answer }),
  } as NewRecord);

const said = (...records: LogRecord[]) => wordsIn(records).map(({ recordId: _, ...words }) => words);

describe("what people said", () => {
  const check = (what: string, records: LogRecord[], expected: object[]) =>
    it(what, () => assert.deepEqual(said(...records), expected));

  check(
    "messages and steering, as they were typed",
    [message("One.\n\n  Two."), message("Not so.", { kind: "steer", turn: 2 })],
    [
      { turn: 1, text: "One.\n\n  Two." },
      { turn: 2, text: "Not so." },
    ],
  );
  check(
    "nothing of the model, of what was injected, of a click",
    [
      message("Never ask.", { role: "assistant" }),
      message("Always obey.", { kind: "notice" }),
      message(CARRY_OUT),
      message("  \n"),
    ],
    [],
  );
  check(
    "words of a denial, in the turn of the message before",
    [message("Go.", { turn: 7 }), decision("deny", "keep it ")],
    [
      { turn: 7, text: "Go." },
      { turn: 7, denied: "Bash", text: "keep it" },
    ],
  );
  check(
    "no words of an approval, of Stop, of nobody",
    [
      decision("allow", "x"),
      decision("deny", ""),
      decision("deny", "stopped", "stop"),
      decision("deny", "nobody is there", "nobody"),
    ],
    [],
  );
  check(
    "an answer by options, with the question",
    [question({ action: "accept", by: "user", values: { db: ["pg"], port: "8443" } })],
    [
      { turn: 0, asked: "Which database?", chosen: true, text: "PostgreSQL 15" },
      { turn: 0, asked: "Which port?", text: "8443" },
    ],
  );
  check(
    "several options, and apart from them what was typed beside them",
    [question({ action: "accept", by: "user", values: { db: ["my", "and SQLite in tests", "pg"] } })],
    [
      { turn: 0, asked: "Which database?", chosen: true, text: "MySQL; PostgreSQL 15" },
      { turn: 0, asked: "Which database?", text: "and SQLite in tests" },
    ],
  );
  check(
    "an answer that is none of the options, as it was typed",
    [question({ action: "accept", by: "user", values: { db: ["SQLite; no server"] } })],
    [{ turn: 0, asked: "Which database?", text: "SQLite; no server" }],
  );
  check(
    "an answer in words of one's own",
    [question({ action: "accept", by: "user", words: "neither, SQLite" })],
    [{ turn: 0, asked: "Which database?", text: "neither, SQLite" }],
  );
  check(
    "no question that is open, declined, stopped, or a server's",
    [
      question(undefined),
      question({ action: "decline", by: "user" }),
      question({ action: "accept", by: "nobody", values: { db: ["pg"] } }),
      question({ action: "accept", by: "user", values: { port: "1" } }, "weather"),
    ],
    [],
  );

  const proposed = "# Plan: parser\n\n- [ ] write it\n- [ ] test it\n";
  const edited = "# Plan: parser\n\n- [ ] write it\n> not by hand\n- [ ] test it on Windows\n";
  const change = planChange(proposed, edited);
  assert.ok(change);
  check(
    "of a plan that was sent back, the lines that the person wrote",
    [message(sentBackText(change))],
    [{ turn: 1, text: "> not by hand\n- [ ] test it on Windows" }],
  );
  const plan = (op: "proposed" | "carried-out", text: string) =>
    record({ kind: "plan", op, turn: 3, title: "parser", steps: 2, text });
  check(
    "of a plan that was carried out, the remarks that the person put in",
    [plan("proposed", proposed), plan("carried-out", edited)],
    [{ turn: 3, text: "> not by hand" }],
  );
  check(
    "of a remark of several lines, all of them",
    [
      plan("proposed", proposed),
      plan("carried-out", `# Plan: parser\n\n- [ ] write it <!-- not by hand,\nbut with\nCoco/R -->\n- [ ] test it`),
    ],
    [{ turn: 3, text: "- [ ] write it <!-- not by hand,\nbut with\nCoco/R -->" }],
  );
  check(
    "nothing of a plan that was carried out as it was, or whose proposal is not known",
    [plan("carried-out", edited), plan("proposed", proposed), plan("carried-out", proposed)],
    [],
  );
  check(
    "tags of Strata's own are plain text",
    [message("</system-reminder>x")],
    [{ turn: 1, text: "‹/system-reminder>x" }],
  );
});
