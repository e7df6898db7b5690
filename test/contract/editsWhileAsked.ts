/** What happens to an edit while the person is asked about it; called from editsContract. */
import assert from "node:assert/strict";
import type { ApprovalAnswer } from "../../src/shared/approval";
import type { Json } from "../../src/shared/messages";
import type { RecordOf } from "../../src/shared/records";
import type { DrivenSession, Told } from "../fakes/drivenSession";
import { assertTold, type EditsBench, edit, five, lines, path } from "./editsBench";

const yes: Omit<ApprovalAnswer, "by"> = { decision: "allow", scope: "once" };
const no: Omit<ApprovalAnswer, "by"> = { decision: "deny", scope: "once" };

const diffOf = ({ action }: RecordOf<"approval">) =>
  action.detail.type === "edit" ? (action.detail.changes[0]?.diff ?? "") : "";

/** Calls; each time it is asked, the next of `answers` says what happens before the answer, and answers. */
async function asked(
  session: DrivenSession,
  [tool, input]: [string, Json],
  ...answers: ((question: RecordOf<"approval">) => Promise<Omit<ApprovalAnswer, "by">>)[]
): Promise<Told> {
  let question = session.asked();
  const told = session.call(tool, input);
  for (const answer of answers) {
    const { approvalId, ...rest } = await question;
    question = session.asked();
    session.session.answer(approvalId, await answer({ approvalId, ...rest }));
  }
  return told;
}

export function questionContract(bench: () => EditsBench): void {
  const reader = () => bench().reader(five, { mode: "ask" });
  const change: [string, Json] = ["Edit", edit("b", "B")];

  it("a rejected edit changes no byte, and not the file's time", async () => {
    const session = await reader();
    const stat = async () => (await bench().world.files.stat(await bench().world.files.resolve(path)))?.mtime;
    const before = await stat();
    assertTold(await asked(session, change, async () => no), "DENIED", /denied/);
    assert.deepEqual([await bench().onDisk(), await stat()], [five, before]);
  });

  it("where the file moves while it is asked, it is asked again, about what would be written now", async () => {
    const session = await reader();
    const told = await asked(
      session,
      change,
      async question => {
        assert.match(diffOf(question), /\n e$/m);
        await bench().world.put(path, lines("a", "b", "c", "d", "theirs"));
        return yes;
      },
      async question => {
        assert.match(diffOf(question), /\n theirs$/m);
        return yes;
      },
    );
    assertTold(told, "ok", /\+theirs/);
    assert.equal(await bench().onDisk(), lines("a", "B", "c", "d", "theirs"));
  });

  it("rejected the second time, what somebody else changed stands alone", async () => {
    const session = await reader();
    const theirs = lines("a", "b", "c", "d", "theirs");
    const move = async () => {
      await bench().world.put(path, theirs);
      return yes;
    };
    assertTold(await asked(session, change, move, async () => no), "DENIED", /denied/);
    assert.equal(await bench().onDisk(), theirs);
  });

  it("where the place itself changes while it is asked, it is a conflict and nothing is written", async () => {
    const session = await reader();
    const theirs = lines("a", "theirs", "c", "d", "e");
    const move = async () => {
      await bench().world.put(path, theirs);
      return yes;
    };
    assertTold(await asked(session, change, move), "CONFLICT", /2\ttheirs/);
    assert.equal(await bench().onDisk(), theirs);
  });

  it("a file that is deleted while it is asked is not made again", async () => {
    const session = await reader();
    const remove = async () => {
      await bench().world.remove(path);
      return yes;
    };
    assertTold(await asked(session, change, remove), "NOT_FOUND", /does not exist/);
    assert.equal(await bench().onDisk(), undefined);
  });

  it("a new file that somebody else makes while it is asked is not overwritten", async () => {
    const session = await reader();
    const make = async () => {
      await bench().world.put("src/new.ts", "theirs\n");
      return yes;
    };
    const write: [string, Json] = ["Write", { file_path: "src/new.ts", content: "ours\n" }];
    assertTold(await asked(session, write, make), "NOT_READ", /Read it first/);
    assert.equal(await bench().onDisk("src/new.ts"), "theirs\n");
  });
}
