/** What came through a channel and what went, in a file that only grows while it is open: each line is on disk before it is acted on. */
import { dirname } from "node:path";
import * as z from "zod";
import { AppendFile, makePrivateFolder, readOr, replaceFile } from "../node/disk";
import { nodeFileSystem } from "../node/fileSystem";
import { SerialQueue } from "../shared/async";
import { parseJson } from "../shared/isObject";
import { channelMessageSchema, channelUpdateSchema } from "./channel";

/** `ts`: ms since the epoch */
const lineSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("in"), ts: z.number(), update: channelUpdateSchema }),
  /** by a stranger */
  z.object({ kind: z.literal("refused"), id: z.int() }),
  /** That update answers the agent's question. */
  z.object({ kind: z.literal("reply"), id: z.int(), question: z.string() }),
  z.object({ kind: z.literal("done"), id: z.int() }),
  /** absent: its next message begins one */
  z.object({ kind: z.literal("session"), chat: z.string(), session: z.string().optional() }),
  z.object({
    kind: z.literal("out"),
    ts: z.number(),
    key: z.string(),
    chat: z.string(),
    message: channelMessageSchema,
  }),
  z.object({ kind: z.literal("try"), key: z.string() }),
  /** `message`: its number; 0: it cannot be delivered */
  z.object({ kind: z.literal("sent"), key: z.string(), message: z.int() }),
  z.object({ kind: z.literal("poll"), ts: z.number() }),
]);
type Line = z.infer<typeof lineSchema>;
type LineOf<K extends Line["kind"]> = Extract<Line, { kind: K }>;

export class Journal {
  /** numbers of updates that came */
  readonly seen = new Set<number>();
  /** updates that are not done, oldest first */
  readonly open = new Map<number, LineOf<"in">["update"]>();
  /** by update: the question that it answers */
  readonly replies = new Map<number, string>();
  /** by chat */
  readonly sessions = new Map<string, string>();
  /** by key: not sent yet */
  readonly outs = new Map<string, LineOf<"out">>();
  /** keys of what may have been sent by a process before */
  readonly tried = new Set<string>();
  readonly sent = new Map<string, number>();
  /** what was said, both ways, oldest first */
  readonly said: (LineOf<"in"> | LineOf<"out">)[] = [];
  /** when the service was last reached; 0: never */
  reached = 0;
  /** of people who are not heard */
  refused = 0;
  private readonly queue = new SerialQueue();

  private constructor(private readonly file: AppendFile) {}

  /** @returns `broken`: how many lines cannot be read. Rejects with the errors of the disk. */
  static async open(path: string): Promise<{ journal: Journal; broken: number }> {
    await makePrivateFolder(dirname(path));
    const text = (await readOr(nodeFileSystem, path))?.toString("utf8") ?? "";
    // A line without an end was never acted on.
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    const lines = whole
      .split("\n")
      .slice(0, -1)
      .map(line => lineSchema.safeParse(parseJson(line)).data);
    if (whole !== text) await replaceFile(nodeFileSystem, path, whole);
    const journal = new Journal(await AppendFile.open(nodeFileSystem, path));
    for (const line of lines) if (line) journal.apply(line);
    return { journal, broken: lines.filter(line => line === undefined).length };
  }

  /** Resolves when they are on disk and count. Rejects with the errors of the disk: then none does. */
  write(...lines: Line[]): Promise<void> {
    return this.queue.run(async () => {
      await this.file.append(lines.map(line => `${JSON.stringify(line)}\n`).join(""));
      await this.file.sync();
      for (const line of lines) this.apply(line);
    });
  }

  close(): Promise<void> {
    return this.queue.run(() => this.file.close());
  }

  private apply(line: Line): void {
    if (line.kind === "in" || line.kind === "out") this.said.push(line);
    if (line.kind === "in") {
      this.seen.add(line.update.id);
      this.open.set(line.update.id, line.update);
      this.reached = line.ts;
    } else if (line.kind === "refused") {
      this.seen.add(line.id);
      this.refused += 1;
    } else if (line.kind === "reply") this.replies.set(line.id, line.question);
    else if (line.kind === "done") this.open.delete(line.id);
    else if (line.kind === "session" && line.session) this.sessions.set(line.chat, line.session);
    else if (line.kind === "session") this.sessions.delete(line.chat);
    else if (line.kind === "out") this.outs.set(line.key, line);
    else if (line.kind === "try") this.tried.add(line.key);
    else if (line.kind === "sent") {
      this.outs.delete(line.key);
      this.sent.set(line.key, line.message);
    } else this.reached = line.ts;
  }
}
