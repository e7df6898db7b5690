/**
 * For bench/panel.mjs: typing while an answer streams into a session of thousands of messages, which all come at once; a fast
 * scroll through them; an hour of streaming. A real host sends a window of 200 to 400 records; this is the panel after somebody
 * went to its first message and came back.
 */
import { openPanel, type PanelPage } from "./panel";
import { closing, testOutput } from "./scenes";
import { invoiceDiff, Script, snapshot } from "./script";
import { closeBrowser } from "./tabs";

const MESSAGES = 2000;
/** Text typed, one key every `KEY_MS` */
const WORDS = "the quick brown fox jumps over the lazy dog and goes on to the next field ".repeat(3);
const KEY_MS = 35;

export interface Figures {
  /** key to paint, ms, one for each key */
  keys: number[];
  /** time from frame to frame, ms */
  frames: number[];
  /** page opened → composer painted, ms */
  composer: number;
  /** snapshot sent → conversation painted, ms */
  conversation: number;
  /** of that, from where the answer has reached the panel: what comes before is the fake host's checks and copies */
  drawing: number;
  /** elements in the page */
  elements: number;
  /** sum of layout shifts that nobody asked for */
  shift: number;
  /** processor time of the page's longest task while the keys were typed, ms: what a frame takes where nothing else runs */
  task: number;
}

/** Turns of three messages each: a question, an answer with two calls, an answer with code and a table. */
function session(messages: number): Script {
  const script = new Script();
  for (let turn = 1; script.records.filter(record => record.kind === "message").length < messages; turn += 1) {
    script.user(`question ${turn} about @src/invoice.ts`);
    script.answer(`a${turn}`, "I'll look at it.", [
      [`r${turn}`, "Read", { file_path: "src/invoice.ts" }],
      [`e${turn}`, "Edit", { file_path: "src/invoice.ts" }],
    ]);
    script.result(`r${turn}`, "Read", { digest: "Read src/invoice.ts 1–84" });
    script.result(`e${turn}`, "Edit", { digest: "Edit src/invoice.ts +3 −1", changes: [invoiceDiff] });
    script.answer(`b${turn}`, closing).end("done");
  }
  return script;
}

/** `stream`: an answer streams while the keys are typed, 60 messages a second. */
export async function measureTyping(options: { messages?: number; stream: boolean }): Promise<Figures> {
  const { messages = MESSAGES, stream } = options;
  const script = session(messages);
  const records = [...script.records];
  script.take();
  const panel = await openPanel({
    width: 420,
    height: 900,
    snapshot: snapshot({ records, state: "running" }),
    held: ["open"],
  });
  await panel.composer.waitFor();
  const composer = await timeFirstPaint(panel);
  const { conversation, drawing } = await timeOpening(panel);
  await panel.play(script.user("and now?").request("live").take());
  await panel.page.locator("[role=log][aria-busy=false]").waitFor();
  if (stream) await startStream(panel);
  await panel.composer.focus();
  await startMeasuring(panel);
  const task = await longestTask(panel, () => panel.page.keyboard.type(WORDS, { delay: KEY_MS }));
  const { keys, frames, shift } = await panel.page.evaluate(() => window.measured);
  const elements = await panel.page.evaluate(() => document.querySelectorAll("*").length);
  const typed = await panel.composer.inputValue();
  const problems = await panel.problems();
  await panel.close();
  await closeBrowser();
  if (typed !== WORDS || problems.length > 0) throw new Error(`The measured panel failed: ${problems.join("; ")}`);
  return { keys, frames, composer, conversation, drawing, elements, shift, task };
}

/** An event of Chrome's tracing; times in µs, `tdur`: of the processor */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  tdur?: number;
  args: { name?: string };
}

async function longestTask({ page }: PanelPage, act: () => Promise<void>): Promise<number> {
  const client = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  const ended = Promise.withResolvers<void>();
  client.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  client.on("Tracing.tracingComplete", () => ended.resolve());
  const traceConfig = { includedCategories: ["toplevel"] };
  await client.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
  await act();
  await client.send("Tracing.end");
  await ended.promise;
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const isPage = ({ name, args }: TraceEvent) => name === "thread_name" && args.name === "CrRendererMain";
  const pages = new Set(events.filter(isPage).map(threadOf));
  return Math.max(...events.filter(event => pages.has(threadOf(event))).map(({ tdur = 0 }) => tdur)) / 1000;
}

/** From the end to the first message by the wheel, a screen and a half at a time: ms from frame to frame. */
export async function measureScroll(messages: number): Promise<number[]> {
  const { records } = session(messages);
  const panel = await openPanel({ width: 420, height: 900, snapshot: snapshot({ records }) });
  await panel.page.locator("[role=log][aria-busy=false]").waitFor();
  await panel.settle();
  await startMeasuring(panel);
  await panel.page.evaluate(
    () =>
      new Promise<void>(resolve => {
        const log = document.querySelector("[role=log]");
        const step = () => {
          log?.scrollBy(0, -1_350);
          if ((log?.scrollTop ?? 0) > 0) requestAnimationFrame(step);
          else resolve();
        };
        step();
      }),
  );
  const { frames } = await panel.page.evaluate(() => window.measured);
  await panel.close();
  await closeBrowser();
  return frames;
}

/** A minute's worth of it: 300 tokens a second, in turns with a call each. */
const MINUTE = { turns: 3, deltas: 80, words: "one more line of the answer, as long as they are. ".repeat(6) };

/** Used heap after so many minutes of streaming, and the text that came until then, bytes. */
export async function measureHours(minutes: readonly number[]): Promise<{ heap: number; text: number }[]> {
  const panel = await openPanel({ width: 420, height: 900, snapshot: snapshot({ state: "running" }) });
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

declare global {
  interface Window {
    measured: { keys: number[]; frames: number[]; shift: number };
  }
}

/** The first picture of the page has the composer in it: the panel draws all of itself at once. */
function timeFirstPaint({ page }: PanelPage): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>(resolve => {
        const observer = new PerformanceObserver(list => {
          const [entry] = list.getEntriesByName("first-contentful-paint");
          if (entry !== undefined) resolve(entry.startTime);
        });
        observer.observe({ type: "paint", buffered: true });
      }),
  );
}

/** From the host's answer to the second frame after the conversation is in the page. */
function timeOpening({ page }: PanelPage): Promise<{ conversation: number; drawing: number }> {
  return page.evaluate(
    () =>
      new Promise(resolve => {
        const from = performance.now();
        let arrived = from;
        const note = ({ timeStamp }: Event) => {
          arrived = timeStamp;
        };
        window.addEventListener("message", note, { once: true });
        window.fakeHost.release("open");
        const look = () => {
          if (document.querySelector(".chunk, .empty") === null) requestAnimationFrame(look);
          else
            requestAnimationFrame(() => {
              const now = performance.now();
              resolve({ conversation: now - from, drawing: now - arrived });
            });
        };
        requestAnimationFrame(look);
      }),
  );
}

/** Words, code and tables, as long as the page lives. */
function startStream({ page }: PanelPage): Promise<void> {
  return page.evaluate(
    ([text, output]) => {
      let at = 0;
      const whole = `${text}\n\n${output}\n\n`;
      setInterval(() => {
        const delta = whole.slice(at % whole.length, (at % whole.length) + 24);
        at += 24;
        window.fakeHost.events([{ type: "text", requestId: "live", delta }]);
      }, 16);
    },
    [closing, testOutput] as const,
  );
}

/** Key to paint: from the key's own time stamp to the task after the frame that follows it. */
function startMeasuring({ page }: PanelPage): Promise<void> {
  return page.evaluate(() => {
    window.measured = { keys: [], frames: [], shift: 0 };
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
        if (!hadRecentInput) window.measured.shift += value;
      }
    }).observe({ type: "layout-shift" });
    const afterPaint = (then: () => void) =>
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = then;
        channel.port2.postMessage(null);
      });
    document.addEventListener(
      "keydown",
      event => afterPaint(() => window.measured.keys.push(performance.now() - event.timeStamp)),
      true,
    );
    let last = performance.now();
    const frame = (now: number) => {
      window.measured.frames.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}
