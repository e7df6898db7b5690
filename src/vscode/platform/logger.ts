/** The output channel "Strata", beside the log file. */
import type * as vscode from "vscode";
import type { Logger } from "../../core/ground/ports";
import type { Json } from "../../shared/messages";

type LogWrite = Logger["log"];

/** Lines go to the channel, for people, and to `file`, whole. */
export class ChannelLogger implements Logger {
  constructor(
    private readonly channel: vscode.LogOutputChannel,
    private readonly file: Logger,
  ) {}

  log: LogWrite = (level, message, fields) => {
    this.file.log(level, message, fields);
    const write = { debug: "debug", info: "info", warning: "warn", error: "error" } as const;
    this.channel[write[level]](fields ? `${message} ${describe(fields)}` : message);
  };
}

/** `key=value` pairs; a payload would make the channel unreadable and is in the file. */
function describe(fields: Record<string, Json>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .map(text => (text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text))
    .join(" ");
}
