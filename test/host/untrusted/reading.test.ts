/** A workspace that is not trusted: reading works, nothing is changed and nothing runs, and everybody is told why. */
import assert from "node:assert/strict";
import { onDisk, resultOf, type Strata, startStrata } from "../strata";

describe("an untrusted workspace", () => {
  let strata: Strata;
  before(async () => {
    strata = await startStrata("auto");
  });
  after(() => strata.dispose());

  it("is read and searched, but not edited, and no command runs", async () => {
    const before = await onDisk("src/invoice.js");
    const file = { file_path: "src/invoice.js" };
    strata.play(
      {
        calls: [
          { id: "read", name: "Read", input: file },
          { id: "grep", name: "Grep", input: { pattern: "roundTotal" } },
        ],
      },
      {
        calls: [
          { id: "edit", name: "Edit", input: { ...file, old_string: "floor", new_string: "round" } },
          { id: "bash", name: "Bash", input: { command: "touch was-here" } },
        ],
      },
      { text: "I may only read." },
    );
    const end = await strata.turn("fix it");
    assert.equal(end.reason, "done");
    const codes = ["read", "grep", "edit", "bash"].map(id => resultOf(strata.panel, id).error?.code ?? "ok");
    assert.deepEqual(codes, ["ok", "ok", "DENIED", "DENIED"]);
    assert.match(resultOf(strata.panel, "edit").error?.message ?? "", /not trusted/);
    assert.equal(await onDisk("src/invoice.js"), before);
    await assert.rejects(onDisk("was-here"));
  });

  it("the panel knows, and the project's rules are not sent", () => {
    assert.equal(strata.panel.snapshot?.surroundings.workspace, "untrusted");
    const sent = strata.offline.requests.map(request => request.rawBody).join("\n");
    assert.match(sent, /not trusted/);
    assert.doesNotMatch(sent, /Rules from AGENTS\.md/);
  });
});
