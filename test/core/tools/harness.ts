/** Calls tools as a session does: prepare, perform, remember stamps; errors become what the model would read. */

import type { StandingRead } from "../../../src/core/history/conversation";
import { protectedBecause } from "../../../src/core/permissions/policy";
import type { FileRef } from "../../../src/core/ports";
import { createTools } from "../../../src/core/tools";
import { MOVED, type Performed, type Prepared, type RunContext, ToolError } from "../../../src/core/tools/tool";
import type { Json } from "../../../src/shared/messages";
import type { LogRecord } from "../../../src/shared/records";
import type { Stamp } from "../../../src/shared/toolResult";
import { MemoryBlobs } from "../../fakes/blobs";
import { noSession } from "../../fakes/call";
import { MemoryFiles } from "../../fakes/files";
import { MemorySearch } from "../../fakes/search";
import { ScriptedShell, type ShellScript } from "../../fakes/shell";

export interface Answer {
  /** `ok`, `partial` or the error's code */
  status: string;
  text: string;
  digest: string;
  data: Record<string, Json>;
  performed?: Performed;
}

export class Harness {
  readonly files: MemoryFiles;
  readonly search: MemorySearch;
  readonly blobs = new MemoryBlobs();
  readonly shell: ScriptedShell;
  readonly stamps = new Map<string, Stamp>();
  /** what earlier steps of the turn read, by URI */
  readonly standing = new Map<string, StandingRead[]>();
  /** files of which the rules around them were asked for */
  readonly opened: string[] = [];
  readonly stop = new AbortController();
  /** what the card was shown live */
  live: { stream: string; text: string }[] = [];
  cwd = "/ws/app";
  /** the session's log, for Recall */
  readonly records: LogRecord[] = [];
  /** Runs between `prepare` and `perform` of the next call. */
  between: (() => void) | undefined;
  private readonly tools;

  constructor(
    roots: Record<string, Record<string, string | Uint8Array>> = {},
    more: { ignore?: string[]; shell?: Record<string, ShellScript> } = {},
  ) {
    this.files = new MemoryFiles(Object.keys(roots).length > 0 ? roots : { app: {} });
    this.search = new MemorySearch(this.files, more.ignore);
    this.shell = new ScriptedShell(more.shell ?? {});
    const cwd = {
      get: () => this.cwd,
      set: (path: string) => {
        this.cwd = path;
      },
    };
    const { files, search, shell } = this;
    const log = { records: this.records, files: { getBlob: async (sha256: string) => this.blobs.blobs.get(sha256) } };
    const blobs = this.blobs.writer;
    const tools = createTools({ files, search, shell, blobs, cwd, bashTimeoutMs: () => 120_000, log });
    this.tools = new Map(tools.map(tool => [tool.name, tool]));
  }

  get context(): RunContext {
    return {
      ...noSession(),
      signal: this.stop.signal,
      stampOf: uri => this.stamps.get(uri),
      protectedBecause: ref => protectedBecause(ref, []),
      standing: uri => this.standing.get(uri) ?? [],
    };
  }

  /** Prepares only: what a person would be asked. */
  async prepare(name: string, input: Json): Promise<Prepared> {
    const tool = this.tools.get(name);
    if (!tool) throw new Error(`no tool ${name}`);
    return tool.prepare(tool.input.parse(input), this.context);
  }

  async call(name: string, input: Json): Promise<Answer> {
    try {
      return await this.attempt(name, input);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { status: error.code, text: error.message, digest: "", data: error.data as Record<string, Json> };
    }
  }

  private async attempt(name: string, input: Json): Promise<Answer> {
    for (;;) {
      const prepared = await this.prepare(name, input);
      this.between?.();
      this.between = undefined;
      const output = (stream: "stdout" | "stderr", text: string) => {
        this.live.push({ stream, text });
      };
      const bringRules = async (file: FileRef) => {
        this.opened.push(file.path);
      };
      const performed = await prepared.perform({ ...this.context, output, bringRules });
      if (performed === MOVED) continue;
      for (const { uri, stamp } of performed.stamps ?? []) this.stamps.set(uri, stamp);
      const { result } = performed;
      return {
        status: result.error?.code ?? (result.status === "success" ? "ok" : result.status),
        text: result.text,
        digest: result.digest,
        data: result.data as Record<string, Json>,
        performed,
      };
    }
  }
}

/** Lines `1` to `count`, each `line <n>`. */
export const numbered = (count: number, make = (line: number) => `line ${line}`): string =>
  Array.from({ length: count }, (_, index) => `${make(index + 1)}\n`).join("");
