/** Sessions that go out and come in, on disks in memory. */
import { type ExportReport, exportSession } from "../../src/core/proof/exportSession";
import { importSession } from "../../src/core/proof/importSession";
import type { compactedSession } from "./compacted";
import { hash, runningHash } from "./hash";
import type { MemoryStorage } from "./storage";

export type Agent = Awaited<ReturnType<typeof compactedSession>>;

export async function exported({ ports, id }: Pick<Agent, "ports" | "id">, redact = ports.redactor.redact) {
  const files = await ports.storage.open(id, { readOnly: true });
  const reports: ExportReport[] = [];
  const deps = { redact, hash, newHash: runningHash, now: () => 7, app: "0.0.0" };
  const lines = await collect(exportSession(files, { ...deps, onReport: report => reports.push(report) }));
  return { lines, text: lines.join(""), report: reports[0]! };
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function* cut(text: string, size = 1000): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

export const importInto = (storage: MemoryStorage, text: string, size?: number) => {
  const ids = { next: (prefix: string) => `${prefix}_new` };
  return importSession(() => cut(text, size), { storage, ids, newHash: runningHash, roots: ["/ws/app"] });
};

/** Lines with a sum of their own: what only their content can give away. */
export function summed(lines: readonly string[]): string {
  const body = lines.slice(0, -1).join("");
  const names = new Set(lines.slice(1, -1).map(line => JSON.parse(line).name));
  const end = { kind: "end", lines: lines.length - 1, files: names.size, sha256: hash.sha256(body) };
  return `${body}${JSON.stringify(end)}\n`;
}
