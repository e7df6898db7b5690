/**
 * For bench/panel.mjs: typing while an answer streams into a session of 2,000 messages, all of them in the page. A real
 * host sends a window of 200 to 400 records; this is the panel after somebody scrolled through all of it.
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
  if (stream) await startStream(panel);
  await panel.composer.focus();
  await startMeasuring(panel);
  await panel.page.keyboard.type(WORDS, { delay: KEY_MS });
  const { keys, frames } = await panel.page.evaluate(() => window.measured);
  const elements = await panel.page.evaluate(() => document.querySelectorAll("*").length);
  const typed = await panel.composer.inputValue();
  const problems = await panel.problems();
  await panel.close();
  await closeBrowser();
  if (typed !== WORDS || problems.length > 0) throw new Error(`The measured panel failed: ${problems.join("; ")}`);
  return { keys, frames, composer, conversation, drawing, elements };
}

declare global {
  interface Window {
    measured: { keys: number[]; frames: number[] };
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
    window.measured = { keys: [], frames: [] };
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
