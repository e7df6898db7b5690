/** For bench/panel.mjs: an hour of streaming, played fast. */
import { openPanel } from "./panel";
import { Script } from "./script";
import { closeBrowser } from "./tabs";

/** A minute's worth of it: 300 tokens a second, in turns with a call each. */
const MINUTE = { turns: 3, deltas: 80, words: "one more line of the answer, as long as they are. ".repeat(6) };

/** Used heap after so many minutes of streaming, and the text that came until then, bytes. */
export async function measureHours(minutes: readonly number[]): Promise<{ heap: number; text: number }[]> {
  const panel = await openPanel({ width: 420, height: 900, snapshot: { state: "running" } });
  const client = await panel.page.context().newCDPSession(panel.page);
  const script = new Script();
  const found: { heap: number; text: number }[] = [];
  let text = 0;
  for (let minute = 1; minute <= Math.max(...minutes); minute += 1) {
    for (let turn = 0; turn < MINUTE.turns; turn += 1) {
      const id = `m${minute}.${turn}`;
      script.user("go on").state("running").request(id);
      await panel.play(script.take());
      const whole = MINUTE.words.repeat(MINUTE.deltas);
      text += whole.length;
      for (let delta = 0; delta < MINUTE.deltas; delta += 40)
        await panel.play([{ type: "text", requestId: id, delta: MINUTE.words.repeat(40) }]);
      script.answer(id, whole, [[`c${id}`, "Read", { file_path: "src/a.ts" }]]);
      script.result(`c${id}`, "Read", { digest: "Read src/a.ts" }).end("done").state("idle");
      await panel.play(script.take());
    }
    if (!minutes.includes(minute)) continue;
    await client.send("HeapProfiler.collectGarbage");
    const { usedSize } = await client.send("Runtime.getHeapUsage");
    found.push({ heap: usedSize, text });
  }
  await panel.close();
  await closeBrowser();
  return found;
}
