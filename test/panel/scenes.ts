/** Sessions that the tests look at: as a person would see them after some minutes of work. */
import type { ApprovalAction } from "../../src/shared/approval";
import type { SessionSummary } from "../../src/shared/sessionsProtocol";
import { invoiceDiff, Script, START } from "./script";

export const testOutput = [
  "> invoices@1.0.0 test",
  "> mocha 'src/**/*.test.ts' -g invoice",
  "",
  "  invoice",
  "    ✔ adds its lines",
  "    ✔ knows its currency",
  "    1) totals round half up",
  "",
  "  2 passing (12ms)",
  "  1 failing",
  "",
  "FAIL totals round half up",
  "  AssertionError: expected 10.05 to equal 10.06",
  "    at src/invoice.test.ts:31:18",
].join("\n");

export const commandAction: Omit<ApprovalAction, "binds"> = {
  toolName: "Bash",
  callId: "call_test",
  title: "Run `npm test -- invoice`?",
  detail: { type: "command", command: "npm test -- invoice", cwd: "/code/invoices" },
};

export const editAction: Omit<ApprovalAction, "binds"> = {
  toolName: "Edit",
  callId: "call_edit",
  title: "Edit src/invoice.ts?",
  detail: { type: "edit", changes: [invoiceDiff] },
};

export const todos = (done: number) =>
  ["Find why totals are off", "Fix the rounding", "Run the whole suite"].map((content, index) => ({
    content,
    status: index < done ? ("completed" as const) : index === done ? ("in_progress" as const) : ("pending" as const),
  }));

/** A turn with reading, searching, a failed test run and an edit; up to where the edit was made. */
export function fixing(): Script {
  const script = new Script();
  script
    .user("fix the failing test in @src/invoice.test.ts")
    .record({ kind: "title", title: "Fix the failing invoice test" });
  script.request("req_1").answer(
    "req_1",
    "I'll look at the test first, then at what it tests.",
    [
      ["call_read", "Read", { file_path: "src/invoice.test.ts" }],
      ["call_grep", "Grep", { pattern: "roundTotal" }],
    ],
    "The user wants the failing test fixed. I have to read the file that was mentioned before anything else.",
  );
  script.result("call_read", "Read", { digest: "Read src/invoice.test.ts 1–84", durationMs: 8 });
  script.result("call_grep", "Grep", { digest: 'Grep "roundTotal" 7 hits in 3 files', durationMs: 140 });
  script.todo(todos(1));
  script.request("req_2").answer("req_2", "", [["call_test", "Bash", { command: "npm test -- invoice" }]]);
  script.result("call_test", "Bash", {
    digest: "Bash npm test -- invoice exit 1",
    status: "error",
    error: { code: "EXIT", message: "The command ended with exit code 1." },
    durationMs: 2300,
  });
  script
    .request("req_3")
    .answer(
      "req_3",
      "`totalOf` in `src/invoice.ts:14` rounds **down**: `Math.floor` drops the half cent. It has to round half up.",
      [["call_edit", "Edit", { file_path: "src/invoice.ts", old_string: "a", new_string: "b" }]],
    );
  script.result("call_edit", "Edit", { digest: "Edit src/invoice.ts +3 −1", changes: [invoiceDiff], durationMs: 60 });
  return script;
}

/** The same, finished, with a closing answer. */
export function fixed(): Script {
  const script = fixing();
  script.todo(todos(3));
  script.request("req_4").answer("req_4", closing);
  return script.end("done");
}

export const closing = [
  "The test passes now. What was wrong, and what changed:",
  "",
  "1. `totalOf` cut half cents off instead of rounding them.",
  "2. It rounds half up now, see src/invoice.ts:14.",
  "",
  "```ts",
  "export function totalOf(invoice: Invoice): number {",
  "  const net = invoice.lines.reduce((sum, line) => sum + line.price * line.count, 0);",
  "  // half up, as the tax office wants it",
  "  const cents = Math.round(net * (1 + invoice.tax) * 100 + Number.EPSILON);",
  "  return cents / 100;",
  "}",
  "```",
  "",
  "| case | before | now |",
  "|---|--:|--:|",
  "| 10.055 | 10.05 | 10.06 |",
  "| 3 × 0.1 | 0.30 | 0.30 |",
  "",
  "The rest of the suite is unchanged: *41 passing*.",
].join("\n");

/** A question about a command, as the newest thing in the session. */
export function asking(): Script {
  const script = fixing();
  script
    .request("req_4")
    .answer("req_4", "Now I'll run the tests again.", [["call_again", "Bash", { command: "npm test -- invoice" }]]);
  return script.approval("approval_1", { ...commandAction, callId: "call_again" });
}

export const bash = (callId: string): [string, string, { command: string }] => [
  callId,
  "Bash",
  { command: "npm test -- invoice" },
];

/** A session as the list has it. */
export const summary = (id: string, title = id, more: Partial<SessionSummary> = {}): SessionSummary => ({
  ...{ id, title, created: START, updated: START, turns: 2, running: false },
  ...more,
});

/** What going back to before the first turn would do. */
export const preview = {
  ...{ turn: 1, stays: [] as string[], gaps: [], turns: 1 },
  files: [{ path: "src/invoice.ts", uri: "file:///ws/src/invoice.ts", becomes: "changed" as const, merged: true }],
};
