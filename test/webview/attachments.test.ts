/** The panel's store: what went out with a message beside its words. */
import assert from "node:assert/strict";
import { reduce } from "../../webview-ui/src/store/reduce";
import type { UserItem } from "../../webview-ui/src/store/state";
import { attached } from "../panel/attached";
import { Script } from "../panel/script";
import { events, items, older, opened, outline, stateAfter } from "./outline";

const said = (): Script => {
  const script = new Script().user("fix @problems and @terminal");
  attached(script, "problems", "2 errors in 1 file");
  return attached(script, "terminal", "No terminal is open in the editor.", { empty: true });
};
const expected = [
  { messageId: "attached_2", name: "problems", title: "2 errors in 1 file", empty: false },
  { messageId: "attached_3", name: "terminal", title: "No terminal is open in the editor.", empty: true },
];
const ofUser = (item: unknown) => (item as UserItem).attachments;

describe("panel store: attachments", () => {
  it("stand with the message that named them, whatever came between", () => {
    const script = said().answer("req_1", "Fixed.").user("and this", { kind: "steer" });
    attached(script, "selection", "src/a.ts:1-2");
    const state = stateAfter(opened(), events(script));
    assert.deepEqual(outline(state), ["user: fix @problems and @terminal", "answer: Fixed.", "steer: and this"]);
    const [first, , steer] = items(state);
    assert.deepEqual(ofUser(first), expected);
    assert.deepEqual(
      ofUser(steer).map(({ name }) => name),
      ["selection"],
    );
  });

  it("come with their message where the window began between them", () => {
    const script = said().answer("req_1", "Fixed.");
    const open = stateAfter(opened({ records: script.records.slice(2), hasOlder: true }));
    assert.deepEqual(outline(open), ["answer: Fixed."]);
    const before = open.session.firstSeq ?? 0;
    const records = script.records.filter(({ seq }) => seq < before);
    const whole = reduce(open, older(open, records));
    assert.deepEqual(ofUser(items(whole)[0]), expected);
  });
});
