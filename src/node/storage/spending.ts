/**
 * What requests cost, by day: `spending/2026-11-24.jsonl`, a line for each request (docs/formats.md). Windows append to the
 * same file: a line is one write, so none is lost and none is torn by another.
 * One file for all workspaces, so that a limit holds in every window and terminal.
 */
import { appendFile, readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Spending } from "../../core/ground/ports";
import { parseJson } from "../../shared/isObject";
import { makePrivateFolder } from "../disk";
import { unlessMissing } from "../errno";

const entrySchema = z.object({ ts: z.number(), cost: z.number().min(0).max(1_000_000) });
type SpendingEntry = z.infer<typeof entrySchema>;

const KEEP_DAYS = 31;
const NAME = /^\d{4}-\d{2}-\d{2}\.jsonl$/;

export class NodeSpending implements Spending {
  private made: Promise<void> | undefined;

  /** @param folder made with the first entry */
  constructor(private readonly folder: string) {}

  async add(entry: SpendingEntry): Promise<void> {
    this.made ??= this.prepare();
    await this.made;
    await appendFile(join(this.folder, dayName(entry.ts)), `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }

  /** A line that is being written makes no sense yet. */
  async since(ts: number, now: number): Promise<number> {
    const text = await unlessMissing(readFile(join(this.folder, dayName(now)), "utf8"), "");
    const entries = text.split("\n").flatMap(line => entrySchema.safeParse(parseJson(line)).data ?? []);
    return entries.reduce((sum, entry) => sum + (entry.ts > ts ? entry.cost : 0), 0);
  }

  private async prepare(): Promise<void> {
    await makePrivateFolder(this.folder);
    const days = (await readdir(this.folder)).filter(name => NAME.test(name)).sort();
    for (const name of days.slice(0, -KEEP_DAYS)) await unlessMissing(unlink(join(this.folder, name)), undefined);
  }
}

/** By the clock on the wall. */
function dayName(ts: number): string {
  const day = new Date(ts);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}.jsonl`;
}
