/**
 * The daily log: `strata-2026-11-21.jsonl`, a JSON object a line with time, level, message and fields (sessionId,
 * requestId, …). For finding faults, never for the work itself: it must not fail, and costs nobody's disk.
 */
import { appendFile, readdir, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Logger, Timer, WallClock } from "../core/ground/ports";
import type { Json } from "../shared/messages";
import { makePrivateFolder } from "./disk";
import { unlessMissing } from "./errno";

type LogLevel = Parameters<Logger["log"]>[0];

const ORDER: readonly LogLevel[] = ["debug", "info", "warning", "error"];
const KEEP_DAYS = 7;
const DAY_MS = 86_400_000;
const NAME = /^strata-(\d{4}-\d{2}-\d{2})(?:\.1)?\.jsonl$/;

interface NodeLoggerOptions {
  folder: string;
  clock: WallClock & Timer;
  /** default: info */
  level?: LogLevel;
  /** for every line */
  fields?: Record<string, Json>;
  /** of all days together; default 20 MB */
  maxBytes?: number;
}

/** Lines that are no warning wait for more, so that a step of the agent does not pay for the log. */
const GATHER_MS = 250;
/** A line takes no more than this part of what all days may take. */
const MAX_SHARE = 8;

export class NodeLogger implements Logger {
  private waiting: string[] = [];
  private writing: Promise<void> | undefined;
  /** calls off what gathers */
  private timer: (() => void) | undefined;
  private day = "";

  constructor(private readonly options: NodeLoggerOptions) {}

  log(level: LogLevel, message: string, fields: Record<string, Json> = {}): void {
    if (ORDER.indexOf(level) < ORDER.indexOf(this.options.level ?? "info")) return;
    this.waiting.push(this.line(level, message, { ...this.options.fields, ...fields }));
    if (ORDER.indexOf(level) >= ORDER.indexOf("warning")) this.writeNow();
    else this.gather();
  }

  /** Resolves when what was logged so far is written. */
  async flush(): Promise<void> {
    this.writeNow();
    while (this.writing) await this.writing;
  }

  private gather(): void {
    if (this.timer || this.writing) return;
    // A process that has nothing else to do ends, and writes first.
    this.timer = this.options.clock.after(GATHER_MS, this.writeNow, "aside");
    process.once("beforeExit", this.writeNow);
  }

  private readonly writeNow = (): void => {
    this.timer?.();
    this.timer = undefined;
    process.off("beforeExit", this.writeNow);
    if (this.waiting.length > 0) this.writing ??= this.write();
  };

  private line(level: LogLevel, message: string, fields: Record<string, Json>): string {
    const ts = new Date(this.options.clock.now()).toISOString();
    const line = JSON.stringify({ ts, level, message, ...fields });
    if (line.length <= this.maxBytes / MAX_SHARE) return `${line}\n`;
    // A picture in a payload, mostly. What names the request stays.
    const ids = Object.entries(fields).filter(([, value]) => typeof value === "string" && value.length < 200);
    return `${JSON.stringify({ ts, level, message, ...Object.fromEntries(ids), tooLong: line.length })}\n`;
  }

  private get maxBytes(): number {
    return this.options.maxBytes ?? 20_000_000;
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const lines = this.waiting;
      this.waiting = [];
      try {
        await this.store(lines.join(""));
      } catch {
        // A log that cannot be written must not stop the work: these lines are lost.
      }
    }
    this.writing = undefined;
  }

  private async store(text: string): Promise<void> {
    const { folder, clock } = this.options;
    const { maxBytes } = this;
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    const path = join(folder, `strata-${day}.jsonl`);
    if (day !== this.day) {
      await makePrivateFolder(folder);
      await this.rotate(maxBytes);
      this.day = day;
    }
    if ((await fileSize(path)) + Buffer.byteLength(text) > maxBytes / 2) {
      await unlessMissing(rename(path, join(folder, `strata-${day}.1.jsonl`)), undefined);
      await this.rotate(maxBytes / 2);
    }
    await appendFile(path, text, { mode: 0o600 });
  }

  /** Removes what is older than a week, then the oldest until the rest fits. */
  private async rotate(maxBytes: number): Promise<void> {
    const { folder, clock } = this.options;
    const oldest = new Date(clock.now() - KEEP_DAYS * DAY_MS).toISOString().slice(0, 10);
    const names = (await readdir(folder))
      .filter(name => NAME.test(name))
      .sort((a, b) => (order(a) < order(b) ? 1 : -1));
    let bytes = 0;
    for (const name of names) {
      bytes += await fileSize(join(folder, name));
      const day = NAME.exec(name)?.[1] ?? "";
      if (day <= oldest || bytes > maxBytes) await unlessMissing(unlink(join(folder, name)), undefined);
    }
  }
}

/** Of one day, the part that was set aside (`.1`) is the older one. */
const order = (name: string): string => name.replace(".1.jsonl", ".0").replace(".jsonl", ".1");

const fileSize = async (path: string) => (await unlessMissing(stat(path), undefined))?.size ?? 0;
