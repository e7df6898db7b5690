/** The conversation as a person sees it: a turn, what opens in it, a message that is edited. */
import { pictures } from "./look";
import { preview, testOutput } from "./scenes";
import { invoiceDiff, Script } from "./script";

describe("panel: how the conversation looks", function () {
  this.timeout(120_000);

  const scene = () => {
    const script = new Script().user("Why does the first test fail? @src/invoice.ts");
    script.answer("q1", "", [
      ["r1", "Read", { file_path: "src/invoice.ts" }],
      ["r2", "Read", { file_path: "src/invoice.test.ts" }],
      ["g1", "Grep", { pattern: "round" }],
    ]);
    for (const id of ["r1", "r2"]) script.result(id, "Read", { digest: "Read 1–84", durationMs: 8 });
    script.result("g1", "Grep", { digest: 'Grep "round" 7 hits in 3 files', durationMs: 1200 });
    script.answer(
      "q2",
      "## What I found\n\nBoth places round **down**.\n\n- `totalOf`\n- `taxOf`\n\n```ts\nconst cents = Math.floor(net * 100);\n```",
      [
        ["e1", "Edit", { file_path: invoiceDiff.path }],
        ["c", "Bash", { command: "npm test" }],
      ],
    );
    script.result("e1", "Edit", { digest: "Edit", changes: [invoiceDiff], durationMs: 900 });
    const ended = { printed: { first: 1, count: 14 }, exitCode: 1, tests: { failed: 1, passed: 2 } };
    const error = { code: "EXIT" as const, message: "Exit code 1." };
    script.result("c", "Bash", { digest: "Bash npm test exit 1", status: "error", error, durationMs: 2300, ended });
    script
      .answer("end", "Both places round half up now.")
      .end("done", undefined, { cost: 0.02, input: 52_000, cachedInput: 41_000 });
    return script.record({
      ...{ kind: "review", action: "undo", uri: invoiceDiff.uri, path: invoiceDiff.path, upTo: 99 },
      ...{ changes: 2, added: 1, removed: 1 },
    });
  };

  const rewound = () =>
    scene().record({
      ...{ kind: "rewind", phase: "done", rewindId: "rwd_1", turn: 2, head: 3, message: "Fix the import" },
    });
  const printed = {
    first: testOutput,
    hidden: { lines: 397, bytes: 9_000 },
    last: "  1 failing",
    handle: "obs:0123456789ab",
  };
  pictures({
    talk: [
      { height: 760, snapshot: { records: rewound().records, rewound: "rwd_1" } },
      ({ page }) => page.locator(".user").hover(),
    ],
    "talk-open": [
      { height: 1000, snapshot: { records: scene().records }, results: { printed } },
      async panel => {
        await panel.page.getByRole("button", { name: /^Looked/ }).click();
        await panel.page.locator("[data-tool=Bash] .tool-head, [data-tool=Bash] button").first().click();
        await panel.page.getByText("397 lines hidden").waitFor();
      },
    ],
    "talk-edit": [
      { height: 500, snapshot: { records: scene().records }, results: { previewRewind: preview } },
      async panel => {
        await panel.button("Edit and send again").press("Enter");
        await panel.page.getByRole("textbox", { name: "Edit your message" }).waitFor();
        await panel.settle();
      },
    ],
  });
});
