/** What every clock keeps: this machine's, and the one that tests move. */
import assert from "node:assert/strict";
import type { Clock } from "../../src/core/ground/ports";

/**
 * @param make a clock, and what lets so many ms pass by it: at least as many, and what was due meanwhile has happened
 */
export function clockContract(name: string, make: () => { clock: Clock; pass(ms: number): Promise<void> }) {
  describe(`clock: ${name}`, () => {
    it("both of its times go on with what passes, and never back", async () => {
      const { clock, pass } = make();
      const [now, steady] = [clock.now(), clock.steady()];
      assert.ok(clock.steady() >= steady);
      await pass(5);
      assert.ok(clock.steady() - steady >= 4, "a timer may be a little early");
      assert.ok(clock.now() - now >= 4);
    });

    it("wakes sleepers in the order of their times", async () => {
      const { clock, pass } = make();
      const woken: string[] = [];
      const sleeping = [
        clock.sleep(30).then(() => woken.push("late")),
        clock.sleep(1).then(() => woken.push("soon")),
        clock.sleep(0).then(() => woken.push("at once")),
      ];
      assert.equal(woken.length, 0);
      await pass(60);
      await Promise.all(sleeping);
      assert.deepEqual([woken.indexOf("late"), woken.length], [2, 3]);
    });

    it("a sleep that is called off rejects with the signal's reason, also where that was so before", async () => {
      const { clock } = make();
      const stop = new AbortController();
      const sleeping = clock.sleep(60_000, stop.signal);
      stop.abort(new Error("stopped"));
      await assert.rejects(sleeping, /stopped/);
      await assert.rejects(clock.sleep(0, stop.signal), /stopped/);
    });

    it("a signal that is aborted after a sleep changes nothing", async () => {
      const { clock, pass } = make();
      const stop = new AbortController();
      const sleeping = clock.sleep(1, stop.signal);
      await pass(10);
      await sleeping;
      stop.abort(new Error("stopped"));
      await pass(1);
    });

    for (const aside of [undefined, "aside"] as const)
      it(`calls back once, not before its time, and not what was called off${aside ? " (aside)" : ""}`, async () => {
        const { clock, pass } = make();
        const called: string[] = [];
        clock.after(1, () => called.push("called"), aside);
        const callOff = clock.after(1, () => called.push("called off"), aside);
        clock.after(60_000, () => called.push("too early"), aside)();
        callOff();
        assert.deepEqual(called, []);
        await pass(20);
        assert.deepEqual(called, ["called"]);
        callOff();
        await pass(5);
        assert.deepEqual(called, ["called"]);
      });

    it("what is called may ask to be called again", async () => {
      const { clock, pass } = make();
      let calls = 0;
      const again = () => {
        calls += 1;
        if (calls < 3) clock.after(1, again);
      };
      clock.after(1, again);
      await pass(50);
      assert.equal(calls, 3);
    });
  });
}
