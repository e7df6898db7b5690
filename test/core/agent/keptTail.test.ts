import assert from "node:assert/strict";
import planMode from "../../../prompts/planMode.md";
import { keepTail } from "../../../src/core/agent/stepSender";
import { runTurn, start } from "../../fakes/agent";

describe("a tail that stays where it was said", () => {
  it("is said again only when it changes; plan mode, which was said once, is over in words", async () => {
    const { session, ports } = await start();
    await runTurn(session, "hello");
    const { history } = session;
    const said: string[] = [];
    session.subscribe(event => {
      if (event.type === "record" && event.record.kind === "inject") said.push(event.record.text);
    });
    const plan = planMode.trim();
    for (const text of [`${plan}\n\nTodos: a`, `${plan}\n\nTodos: a`, "Todos: a", "Todos: a", "Todos: b", undefined])
      await keepTail(text, { ...ports, history });
    const words = said.map(text =>
      text
        .replace(plan, "PLAN")
        .replace(/<\/?system-reminder>/g, "")
        .trim(),
    );
    assert.deepEqual(words.slice(0, 3), ["PLAN\n\nTodos: a", "Plan mode is over.\n\nTodos: a", "Todos: b"]);
    assert.match(words[3] ?? "", /plan mode[\s\S]*holds no more/);
    assert.equal(words.length, 4);
  });
});
