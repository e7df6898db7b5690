/** What a person makes of a proposal: it is what runs, also where the file moves while they are asked. */
import assert from "node:assert/strict";
import * as z from "zod";
import type { ApprovalResponse } from "../../../src/core/agent/questions";
import { runTool } from "../../../src/core/agent/runTool";
import { prepareChange } from "../../../src/core/changes/edits/fileEdit";
import { planEdits } from "../../../src/core/changes/edits/planEdits";
import type { TextFile } from "../../../src/core/ground/ports";
import { Conversation } from "../../../src/core/log/conversation";
import { defineTool, type Proposal } from "../../../src/core/tool/tool";
import type { ApprovalAction } from "../../../src/shared/approval";
import type { PermissionMode } from "../../../src/shared/settingValues";
import { noQuestions, quietRun } from "../../fakes/call";
import { FakeClock } from "../../fakes/clock";
import { MemoryFiles } from "../../fakes/files";

const PATH = "/ws/app/a.ts";
const call = (input: object) => ({
  ...{ type: "dynamic-tool" as const, toolCallId: "c", toolName: "Edit", state: "input-available" as const },
  input: { file_path: "a.ts", ...input },
});

type Answer = (question: { action: ApprovalAction; proposal: Proposal }) => ApprovalResponse;
const allow = (text?: string, scope: "once" | "session" = "once"): ApprovalResponse => ({
  answer: { decision: "allow", scope, by: "user" },
  ...(text === undefined ? {} : { text }),
});

/** An edit of `a.ts` that always starts from the newest text, as a person answers one question after the other. */
function scene(content: string | undefined, answers: Answer[], mode: () => PermissionMode = () => "ask") {
  const files = new MemoryFiles({ app: content === undefined ? {} : { "a.ts": content } });
  const asked: ApprovalAction[] = [];
  const conversation = new Conversation();
  const ports = { files, remember: async () => ({ sha256: "" }) };
  const tool = defineTool({
    name: "Edit",
    description: "",
    effect: "edit",
    input: z.object({ file_path: z.string(), old: z.string().default(""), new: z.string() }),
    async prepare(input) {
      const ref = await files.resolve(input.file_path);
      if (!(await files.stat(ref))) {
        const edits = [{ start: 0, end: 0, text: input.new }];
        return prepareChange(ports, { toolName: "Write", ref, base: null, edits, newText: input.new });
      }
      const base = (await files.read(ref, 1e9)) as TextFile;
      const plan = planEdits(base.text, [{ oldText: input.old, newText: input.new }], ref.path);
      return prepareChange(ports, { toolName: "Edit", ref, base, ...plan });
    },
  });
  const questions = {
    ...noQuestions,
    async approve({ action, proposal }: { action: ApprovalAction; proposal?: Proposal | undefined }) {
      asked.push(action);
      const next = answers.shift();
      assert.ok(next && proposal, "a question about an edit that the test expects");
      return next({ action, proposal });
    },
  };
  const deps = {
    ...quietRun(() => ({ mode: mode(), grants: conversation.grants })),
    ...{ files, conversation, questions, tools: new Map([["Edit", tool]]), clock: new FakeClock() },
  };
  const run = async (input: object) => (await runTool(call(input), deps, new AbortController().signal)).result;
  return { files, asked, run, conversation };
}

const five = "one\ntwo\nthree\nfour\nfive\n";

describe("a proposal that a person changes", () => {
  it("is what lands, and the model is told what they changed", async () => {
    const { files, asked, run } = scene(five, [
      ({ proposal }) => {
        assert.deepEqual([proposal.ref.path, proposal.before], ["a.ts", five]);
        assert.equal(proposal.after, five.replace("two", "2"));
        return allow(five.replace("two", "zwei").replace("five", "fünf"));
      },
    ]);
    const result = await run({ old: "two", new: "2" });
    assert.equal(files.onDisk(PATH), "one\nzwei\nthree\nfour\nfünf\n");
    assert.equal(
      result.text,
      [
        "Edited a.ts: line 2, line 5, +2 −2, saved.",
        "The user changed your proposal before accepting it. Their version was written: keep it. From your proposal (-) to theirs (+):",
        "-2\n+zwei\n-five\n+fünf",
      ].join("\n"),
    );
    assert.equal(result.digest, "Edit a.ts +2 −2 · revised by you");
    assert.equal(asked.length, 1);
  });

  it("has the file's line ends, whatever the editor made of them", async () => {
    const { files, run } = scene("one\r\ntwo\r\n", [() => allow("one\nzwei\ndrei\n")]);
    await run({ old: "two", new: "2" });
    assert.equal(files.onDisk(PATH), "one\r\nzwei\r\ndrei\r\n");
  });

  it("of a new file has the proposal's line ends; emptied, no file is made", async () => {
    const { files, run } = scene(undefined, [() => allow("eins\n2\n"), () => allow("")]);
    await run({ new: "1\r\n2\r\n" });
    assert.equal(files.onDisk(PATH), "eins\r\n2\r\n");
    const none = scene(undefined, [() => allow("")]);
    const { error } = await none.run({ new: "1\n" });
    assert.equal(none.files.onDisk(PATH), undefined);
    assert.equal(error?.code, "DENIED");
    assert.match(error?.message ?? "", /took everything of your proposal back\. a\.ts was not created\./);
  });

  it("to what the file holds writes nothing and says so", async () => {
    const { files, run } = scene(five, [() => allow(five)]);
    const { error } = await run({ old: "two", new: "2" });
    assert.deepEqual(files.asked, []);
    assert.equal(error?.code, "DENIED");
    assert.match(error?.message ?? "", /^The user took everything of your proposal back\. a\.ts stays as it is\. /);
  });

  it("tells the model a dozen lines at most", async () => {
    const { run } = scene(five, [() => allow(`${"long line\n".repeat(40)}${five}`)]);
    const { text } = await run({ old: "two", new: "2" });
    assert.match(text, /\n(\+long line\n){12}… 30 more lines: Read a\.ts before you go on from it$/);
  });
});

describe("a file that moves while a person is asked", () => {
  it("is asked about anew", async () => {
    const { files, asked, run } = scene(five, [
      () => {
        files.edit("a.ts", `typed\n${five}`);
        return allow();
      },
      ({ proposal }) => {
        assert.equal(proposal.before, `typed\n${five}`);
        return allow();
      },
    ]);
    const result = await run({ old: "two", new: "2" });
    assert.equal(files.inEditor(PATH), `typed\n${five.replace("two", "2")}`);
    assert.deepEqual([asked[0]?.reason, asked[1]?.reason], [undefined, "the file changed while you were asked"]);
    assert.notEqual(asked[0]?.binds, asked[1]?.binds);
    assert.doesNotMatch(result.text, /The user changed/);
  });

  it("keeps what they made of the proposal", async () => {
    const merged = `typed\n${five.replace("two", "zwei")}`;
    const { files, asked, run } = scene(five, [
      () => {
        files.edit("a.ts", `typed\n${five}`);
        return allow(five.replace("two", "zwei"));
      },
      ({ proposal }) => {
        assert.deepEqual([proposal.after, proposal.proposed], [merged, `typed\n${five.replace("two", "2")}`]);
        return allow();
      },
    ]);
    const result = await run({ old: "two", new: "2" });
    assert.equal(files.inEditor(PATH), merged);
    assert.equal(asked[1]?.reason, "the file changed while you were asked: what you changed of the proposal is in it");
    assert.match(result.text, /From your proposal \(-\) to theirs \(\+\):\n-2\n\+zwei$/);
  });

  it("asks with the model's own proposal where that cannot be kept, even where edits are allowed by now", async () => {
    const granted = { mode: "ask" as PermissionMode };
    const { files, asked, run } = scene(
      five,
      [
        () => {
          files.edit("a.ts", five.replace("five", "typed"));
          granted.mode = "edits";
          return allow(five.replace("two", "2").replace("five", "fünf"), "session");
        },
        ({ proposal }) => {
          assert.equal(proposal.after, five.replace("two", "2").replace("five", "typed"));
          return allow();
        },
      ],
      () => granted.mode,
    );
    const result = await run({ old: "two", new: "2" });
    assert.match(
      asked[1]?.reason ?? "",
      /in lines that you had changed too: this is the proposal without your changes$/,
    );
    assert.equal(files.inEditor(PATH), five.replace("two", "2").replace("five", "typed"));
    assert.doesNotMatch(result.text, /The user changed/);
  });

  it("goes on unasked where the mode allows edits by now, with what they made of it", async () => {
    const granted = { mode: "ask" as PermissionMode };
    const { files, run } = scene(
      five,
      [
        () => {
          files.edit("a.ts", `typed\n${five}`);
          granted.mode = "edits";
          return allow(five.replace("two", "zwei"));
        },
      ],
      () => granted.mode,
    );
    await run({ old: "two", new: "2" });
    assert.equal(files.inEditor(PATH), `typed\n${five.replace("two", "zwei")}`);
  });

  it("writes nothing where the file has become what they wanted", async () => {
    const { files, run } = scene(five, [
      () => {
        files.edit("a.ts", five.replace("four", "vier"));
        return allow(five.replace("four", "vier"));
      },
    ]);
    const { error } = await run({ old: "two", new: "2" });
    assert.match(error?.message ?? "", /changed your proposal, and the file has become that\. a\.ts stays as it is\./);
    assert.equal(files.inEditor(PATH), five.replace("four", "vier"));
  });

  it("tells the model what they wanted where the call cannot be made any more", async () => {
    const { files, run } = scene(five, [
      () => {
        files.edit("a.ts", "something else\n");
        return allow(five.replace("two", "zwei"));
      },
    ]);
    const { error } = await run({ old: "two", new: "2" });
    assert.equal(error?.code, "NO_MATCH");
    assert.match(
      error?.message ?? "",
      /The user had changed your proposal before accepting it: propose theirs then\.[^\n]*\n-2\n\+zwei$/,
    );
    assert.equal(files.inEditor(PATH), "something else\n");
  });

  it("gives up after five times, and says what they wanted", async () => {
    let times = 0;
    const answer: Answer = ({ proposal }) => {
      times += 1;
      files.edit("a.ts", `typed ${times}\n${five}`);
      return allow(times === 1 ? proposal.after.replace("2", "zwei") : undefined);
    };
    const { files, run } = scene(five, [answer, answer, answer, answer, answer]);
    const { error } = await run({ old: "two", new: "2" });
    assert.equal(times, 5);
    assert.equal(error?.code, "STALE");
    assert.match(error?.message ?? "", /-2\n\+zwei$/);
    assert.equal(files.inEditor(PATH), `typed 5\n${five}`);
  });
});
