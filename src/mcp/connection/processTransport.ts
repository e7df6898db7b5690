/** A server over its standard streams. Unlike the package's transport it leads a group of processes, so that none is left behind, and keeps a bounded end of the error stream. */
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import spawn from "cross-spawn";
import type { Clock } from "../../core/ground/ports";
import { LastBytes } from "../../core/ground/text/bytes";
import { withoutInherited } from "../../node/processes";
import { CommandProcesses } from "../../node/shell/commandProcesses";
import type { ReadyProcess } from "../config/variables";

const STDERR_BYTES = 64_000;
/** No answer is larger: 50 MB of text would reach the log and the memory before anybody reads it. */
const MAX_MESSAGE_BYTES = 16_000_000;
/** characters of such a line that are kept */
const NOT_A_MESSAGE = 300;
/** ms that it has to end by itself, and then after it was told to */
const GRACE_MS = 300;
const TERM_MS = 1_000;
/** ms for reading its pipes after its end */
const DRAIN_MS = 500;
/** ms after which one that takes no more input, but runs, is ended */
const DEAF_MS = 500;

export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly errors = new LastBytes(STDERR_BYTES);
  /** how it ended, in words; undefined: it runs */
  ended: string | undefined;
  private child: ChildProcess | undefined;
  private processes: CommandProcesses | undefined;
  private ending: Promise<void> | undefined;
  private drained: Promise<void> | undefined;
  private exited: Promise<void> | undefined;
  private readonly reader = new LineReader(MAX_MESSAGE_BYTES);

  /** @param parse throws where a line is no message @param all it is in there while it runs */
  constructor(
    private readonly launch: ReadyProcess,
    private readonly parse: (line: string) => JSONRPCMessage,
    private readonly all: Set<ProcessTransport>,
    private readonly clock: Clock,
  ) {}

  /** what it wrote to its error stream, and lines that are no messages: the end of it */
  printed(): string {
    const kept = Buffer.from(this.errors.bytes()).toString("utf8");
    const left = this.errors.total - STDERR_BYTES;
    return left > 0 ? `… ${left} bytes before\n${kept}` : kept;
  }

  // The package takes a transport with these two for one over standard streams.
  get pid(): number | null {
    return this.child?.pid ?? null;
  }
  readonly stderr = null;

  start(): Promise<void> {
    const id = randomUUID();
    const { command, args, env, cwd, files } = this.launch;
    const options = { cwd, env: { ...env, STRATA_MCP_ID: id }, windowsHide: true };
    const opened = (files ?? []).map(path => openSync(path, "r"));
    const streams = ["pipe", "pipe", "pipe", ...(files ? ["ignore" as const, ...opened] : [])] as const;
    const child = withoutInherited(streams, stdio =>
      spawn(command, args, { ...options, detached: process.platform !== "win32", stdio }),
    );
    for (const descriptor of opened) closeSync(descriptor);
    this.child = child;
    if (child.pid !== undefined) {
      this.processes = new CommandProcesses(child.pid, `STRATA_MCP_ID=${id}`, this.clock, files !== undefined);
      this.all.add(this);
    }
    // Its last words may be on the way still when it has ended.
    this.drained = new Promise<void>(resolve => child.once("close", () => resolve()));
    this.exited = new Promise<void>(resolve => child.once("exit", () => resolve()));
    child.stdout?.on("data", (bytes: Buffer) => this.read(bytes));
    child.stderr?.on("data", (bytes: Buffer) => this.errors.push(bytes));
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on("error", error => this.onerror?.(error));
    return new Promise((resolve, reject) => {
      child.once("error", error => {
        this.ended ??= `it could not be started (${error.message})`;
        reject(new Error(this.ended));
        this.closed();
      });
      child.once("spawn", () => resolve());
      // Not "close": what it started may hold its streams open.
      child.once("exit", (code, signal) => {
        this.ended ??= signal ? `it was ended by ${signal}` : `it ended with code ${code}`;
        void this.endAll();
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const input = this.child?.stdin;
    if (!input?.writable) reject(new Error(this.ended ?? "it does not run"));
    else
      input.write(`${JSON.stringify(message)}\n`, error => {
        if (error) void this.endDeaf().then(() => reject(error));
        else resolve();
      });
    return promise;
  }

  /** A write fails before the exit of a process that was killed is heard of: how it ended says more than the write. */
  private async endDeaf(): Promise<void> {
    await Promise.race([this.exited, this.clock.sleep(DEAF_MS)]);
    this.ended ??= "it takes no more input";
    void this.endAll();
  }

  /** Its input ends first, which is how a server is told to go; then it is made to. */
  async close(): Promise<void> {
    this.ended ??= "it was stopped";
    if (this.child?.exitCode === null && this.child.signalCode === null) {
      this.child.stdin?.end();
      await this.processes?.gone(GRACE_MS, "session");
    }
    await this.endAll();
  }

  /** At once: this process is about to end itself. */
  killNow(): void {
    this.processes?.kill();
  }

  /** Ends it with its children; then calls that wait are rejected. */
  private endAll(): Promise<void> {
    this.ending ??= (async () => {
      await this.processes?.end(TERM_MS, "session");
      this.all.delete(this);
      await Promise.race([this.drained, this.clock.sleep(DRAIN_MS)]);
      for (const stream of [this.child?.stdin, this.child?.stdout, this.child?.stderr]) stream?.destroy();
      this.reader.clear();
      this.closed();
    })();
    return this.ending;
  }

  private isClosed = false;
  /** Calls that wait are rejected. */
  private closed(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.onclose?.();
  }

  private read(bytes: Buffer): void {
    const lines = this.reader.push(bytes);
    if (!lines) {
      this.ended ??= `it sent a message of more than ${MAX_MESSAGE_BYTES / 1_000_000} MB`;
      void this.close();
      return;
    }
    for (const line of lines) if (line.trim() !== "") this.receive(line);
  }

  private receive(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = this.parse(line);
    } catch (error) {
      // Many print a greeting where messages are to stand.
      this.errors.push(Buffer.from(`[not a message: ${line.slice(0, NOT_A_MESSAGE)}]\n`));
      this.onerror?.(error as Error);
      return;
    }
    this.onmessage?.(message);
  }
}

/** Lines of a stream, each at most so long. Time grows with the bytes alone, however small the pieces are that they come in. */
class LineReader {
  private pieces: Buffer[] = [];
  private length = 0;

  /** @param most bytes of a line */
  constructor(private readonly most: number) {}

  /** The lines that are whole by now; undefined: one is too long, and is dropped. */
  push(bytes: Buffer): string[] | undefined {
    const lines: string[] = [];
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...this.pieces, bytes.subarray(from, end)]);
      this.clear();
      if (line.length > this.most) return undefined;
      lines.push(line.toString("utf8").replace(/\r$/, ""));
      from = end + 1;
    }
    const rest = bytes.subarray(from);
    this.pieces.push(rest);
    this.length += rest.length;
    if (this.length <= this.most) return lines;
    this.clear();
    return undefined;
  }

  clear(): void {
    this.pieces = [];
    this.length = 0;
  }
}

const NEWLINE = 10;
