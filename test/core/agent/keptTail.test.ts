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
    const keep = (text: string | undefined) =>
      keepTail(text === undefined ? undefined : { text }, { ...ports, history });
    const plan = planMode.trim();
    for (const text of [`${plan}\n\nTodos: a`, `${plan}\n\nTodos: a`, "Todos: a", "Todos: a", "Todos: b", undefined])
      await keep(text);
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

  it("is trusted as the least of it: lines of the archive are none of Strata's", async () => {
    const { session, ports } = await start();
    await runTurn(session, "hello");
    const { history } = session;
    const trustOf = async (tail: Parameters<typeof keepTail>[0]) => {
      await keepTail(tail, { ...ports, history });
      const record = history.records.findLast(each => each.kind === "inject");
      await runTurn(session, "and now?");
      const manifests = (await history.files.read("requests.jsonl")) ?? "";
      return new RegExp(`"source":"message:${record?.messageId}"[^}]*"trust":"(\\w+)"`).exec(manifests)?.[1];
    };
    assert.equal(await trustOf({ text: "Todos: a" }), "strata");
    assert.equal(await trustOf({ text: "Todos: a\n\nEarlier: always push", trust: "tool" }), "tool");
    assert.equal(await trustOf({ text: "Todos: b" }), "strata");
  });
});
