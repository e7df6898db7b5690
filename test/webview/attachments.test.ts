/** The panel's store: what went out with a message beside its words. */

import assert from "node:assert/strict";
import type { UserItem } from "../../webview-ui/src/store/state";
import { pluck } from "../fakes/pluck";
import { attached } from "../panel/attached";
import { Script } from "../panel/script";
import { events, items, opened, outline, stateAfter } from "./outline";

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
    assert.deepEqual(pluck(ofUser(steer), "name"), ["selection"]);
  });
});
