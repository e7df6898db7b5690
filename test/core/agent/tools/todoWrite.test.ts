import assert from "node:assert/strict";
import type { Todo } from "../../../../src/shared/toolResult";
import { Harness } from "../../looking/harness";

const todo = (content: string, status: Todo["status"]): Todo => ({ content, status });

async function check(todos: Todo[], expected: { status?: string; text: string }) {
  const { status, text, performed } = await new Harness().call("TodoWrite", { todos });
  assert.deepEqual([status, text], [expected.status ?? "ok", expected.text]);
  if (status === "ok") assert.deepEqual(performed?.todos, todos);
}

describe("TodoWrite", () => {
  it("sets the whole list", async () => {
    await check([todo("a", "completed"), todo("b", "in_progress"), todo("c", "pending")], {
      text: "1 of 3 todos done; now: b.",
    });
    await check([todo("a", "pending")], { text: "0 of 1 todos done." });
    await check([], { text: "The todo list is empty." });
  });

  it("takes one in progress at most", async () => {
    await check([todo("a", "in_progress"), todo("b", "in_progress")], {
      status: "INVALID_INPUT",
      text: 'One todo at most may be in progress; 2 are: "a", "b". The list is unchanged.',
    });
  });

  it("names the field that is wrong", async () => {
    await assert.rejects(new Harness().prepare("TodoWrite", { todos: [{ content: "a", status: "done" }] }), /status/);
  });
});
