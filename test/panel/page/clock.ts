/**
 * The page's clock: it goes as it does, or stands still at `now`, and a test lets time pass in no time. Frames stay the
 * browser's own, so that what was drawn was drawn.
 */

interface Timer {
  due: number;
  run(): void;
}

/** Takes the place of the page's timers and of what tells the time. Gives what lets time pass, ms. */
export function installClock(now: number | undefined): (ms: number) => void {
  const real = {
    now: performance.now.bind(performance),
    date: Date.now.bind(Date),
    setTimeout: window.setTimeout.bind(window),
    clearTimeout: window.clearTimeout.bind(window),
    setInterval: window.setInterval.bind(window),
    clearInterval: window.clearInterval.bind(window),
  };
  const timers = new Map<number, Timer>();
  let ahead = 0;
  const clock = () => real.now() + ahead;
  performance.now = clock;
  Date.now = () => (now ?? real.date()) + Math.round(ahead);

  function after(act: TimerHandler, ms = 0, ...args: unknown[]): number {
    const run = () => {
      cancel(id);
      if (typeof act === "function") act(...args);
    };
    const id = real.setTimeout(run, ms);
    timers.set(id, { due: clock() + ms, run });
    return id;
  }
  function repeatedly(act: TimerHandler, ms = 0, ...args: unknown[]): number {
    const run = () => {
      const timer = timers.get(id);
      if (timer !== undefined) timer.due = clock() + Math.max(ms, 1);
      if (typeof act === "function") act(...args);
    };
    const id = real.setInterval(run, ms);
    timers.set(id, { due: clock() + ms, run });
    return id;
  }
  function cancel(id: number | undefined): void {
    real.clearTimeout(id);
    if (id !== undefined) timers.delete(id);
  }
  const own = { setTimeout: after, setInterval: repeatedly, clearTimeout: cancel, clearInterval: cancel };
  Object.assign(window, own);

  return ms => {
    const end = ahead + ms;
    const until = real.now() + end;
    const nextDue = () => [...timers.values()].filter(({ due }) => due <= until).sort((a, b) => a.due - b.due)[0];
    for (let next = nextDue(); next !== undefined; next = nextDue()) {
      ahead = Math.max(ahead, next.due - real.now());
      next.run();
    }
    ahead = end;
  };
}
