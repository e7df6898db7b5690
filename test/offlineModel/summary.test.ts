/** The offline model writes the summary of a compaction out of the conversation that it is asked about. */
import assert from "node:assert/strict";
import { demo } from "../../scripts/offline-model/demo.mjs";
import { type OfflineMessage, type OfflineRequest, startOfflineModel } from "../../scripts/offline-model/server.mjs";

const instruction = (wish = "") =>
  `<system-reminder>\nWrite the archive summary of rounds 1 to 2 now. The conversation above is about to leave.\n${wish}\n</system-reminder>`;
const call = (id: string, name: string, input: object) => ({ id, name, input });
const result = (callId: string, text: string): OfflineMessage => ({ role: "tool", callId, text });

const conversation: OfflineMessage[] = [
  { role: "system", text: "You are Strata." },
  {
    role: "user",
    text: "fix the totals in @src/a.js\n\n<system-reminder>\nThe user mentioned it.\n</system-reminder>",
  },
  {
    role: "assistant",
    text: "First the tests.",
    calls: [call("1", "Bash", { command: "npm test" }), call("2", "Read", { file_path: "src/a.js" })],
  },
  result("1", "EXIT: exit code 1\nnot ok 1 - rounds half up obs:3fa9c1d2e4b5"),
  result("2", "1\tMath.floor(x)"),
  {
    role: "assistant",
    text: "",
    calls: [call("3", "Edit", { file_path: "src/a.js", old_string: "floor", new_string: "round" })],
  },
  result("3", "Edited src/a.js, +1 −1."),
  { role: "assistant", text: "I round instead of cutting off. All pass." },
  { role: "user", text: "thanks" },
  { role: "assistant", text: "You are welcome." },
];

const request = (messages: OfflineMessage[]): OfflineRequest => ({
  ...{ api: "chat", model: "m", tools: ["Read"], headers: {}, body: {} },
  messages,
});

const expected = `### 🎯 Objectives & Status
* **Objectives**:
  - fix the totals in @src/a.js → I round instead of cutting off. All pass.
  - thanks → You are welcome.

### 🏗️ Technical Context (Static)
* **Stack**:
  - Commands: \`npm test\`
  - Kinds of files: .js

### ✅ Completed Milestones (The "Done" Pile)
* [✓] Edit \`src/a.js\` - Edited src/a.js, +1 −1.

### 🧠 Key Insights & Decisions (Persistent Memory)
* **Decisions**:
  - I round instead of cutting off.
* **Learnings**:
  - Bash \`npm test\`: not ok 1 - rounds half up obs:3fa9c1d2e4b5

### 📂 File System State (Snapshot)
* \`src/a.js\`: \`floor\` became \`round\``;

describe("offline model: summary of a compaction", () => {
  it("tells what was said and done, under the headings", () => {
    assert.equal(demo(request([...conversation, { role: "user", text: instruction() }])).text, expected);
  });

  it("is not taken for one where somebody only speaks of it", () => {
    const { text } = demo(request([...conversation, { role: "user", text: "Write a summary" }]));
    assert.doesNotMatch(text ?? "", /Objectives/);
  });

  it("fails as the user's wish says, not as a message before it does", async () => {
    const server = await startOfflineModel({ script: demo });
    const ask = async (wish: string) => {
      const messages = [
        { role: "user", content: "#fault:500" },
        { role: "assistant", content: "It failed." },
        { role: "user", content: instruction(wish) },
      ];
      const body = JSON.stringify({ model: "m", messages });
      return (await fetch(`${server.url}/chat/completions`, { method: "POST", body })).status;
    };
    try {
      assert.deepEqual([await ask(""), await ask("- The user wishes for this summary: “#fault:429”.")], [200, 429]);
    } finally {
      await server.close();
    }
  });
});
