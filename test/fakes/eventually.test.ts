import assert from "node:assert/strict";
import { eventually } from "./eventually";

describe("eventually", () => {
  it("looks until there is something, and gives it", async () => {
    let looks = 0;
    assert.equal(await eventually("three looks", () => (++looks >= 3 ? looks : undefined)), 3);
    assert.equal(await eventually("a zero", () => 0), 0);
    assert.equal(await eventually("a promise", async () => ++looks > 5 && "there"), "there");
  });

  it("takes an assertion that fails for not yet", async () => {
    let looks = 0;
    const look = () => {
      assert.equal(++looks, 20);
      return true;
    };
    assert.equal(await eventually("twenty looks", look), true);
  });

  it("says what did not come, and the last that was seen", async () => {
    const limit = { limitMs: 20 };
    await assert.rejects(
      eventually("the door is open", () => false, limit),
      /^Error: Not within 0\.02 s: the door is open\. Last seen: false$/,
    );
    const throws = () => assert.fail("it is shut");
    await assert.rejects(eventually("the door is open", throws, limit), /Last seen: it is shut/);
    const saw = () => ({ door: "ajar" });
    await assert.rejects(
      eventually("the door is open", () => undefined, { ...limit, saw }),
      /door: 'ajar'/,
    );
  });
});
