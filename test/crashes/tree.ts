/** A session with agents below it, and what has to hold of all of them after a crash. */
import assert from "node:assert/strict";
import type { SessionFiles } from "../../src/core/ground/ports";
import { childrenOf, readWholeLog } from "../../src/core/log/readLog";
import type { NodeStorage } from "../../src/node/storage/sessionStorage";
import type { LogRecord } from "../../src/shared/records";
import { world } from "../fakes/agent";
import { SESSION } from "../fakes/disk/crashes";
import { MemorySkills, withHead } from "../fakes/skills";

/** @param mark of the ids that it gives */
export function treeProgram(storage: NodeStorage, mark: string) {
  const { ports, models } = world({ mode: "auto", settings: { "agents.allowUpTo": 1_000 } });
  models.prices = { input: 1, output: 5, dearer: [] };
  const skills = new MemorySkills();
  const text = withHead({ name: "writer", description: "writes" }, "Write.");
  const file = { name: "writer", path: ".claude/agents/writer.md", folder: "/ws/app/.claude/agents" };
  skills.agents = [{ ...file, text, cutBytes: 0, trust: "rules" }];
  let count = 0;
  ports.ids = { next: prefix => `${prefix}_${mark}${++count}` };
  return { ports: { ...ports, storage, skills }, models };
}

interface Log {
  id: string;
  records: LogRecord[];
}

async function logsBelow(files: Pick<SessionFiles, "children">): Promise<Log[]> {
  const all: Log[] = [];
  for await (const child of childrenOf(files as SessionFiles)) {
    const { records } = await readWholeLog(child as SessionFiles);
    all.push({ id: child.id, records }, ...(await logsBelow(child as SessionFiles)));
  }
  return all;
}

/** @returns how many a kill ended. Every agent that began has ended, is paid for by its caller, and what it changed is known there. Of a session that settled. */
export async function checkTree(storage: NodeStorage): Promise<number> {
  const files = await storage.open(SESSION, { readOnly: true });
  const root = { id: SESSION, records: (await readWholeLog(files)).records };
  const below = await logsBelow(files);
  const all = [root, ...below];
  for (const { id, records } of all) {
    const of = (wanted: string) =>
      records.flatMap(record => (record.kind === "child" && record.phase === wanted ? [record.childId] : []));
    assert.deepEqual(
      [...new Set(of("begun"))].filter(each => !of("ended").includes(each)),
      [],
      `open in ${id}`,
    );
  }
  const answers = ({ records }: Log) =>
    records.flatMap(record => (record.kind === "message" ? (record.message.metadata.usage ?? []) : []));
  const paid = root.records.flatMap(record => (record.kind === "child" ? (record.usage ?? []) : []));
  const sum = (usages: readonly { input: number; output: number }[]) =>
    usages.reduce((total, { input, output }) => total + input + output, 0);
  assert.equal(sum(paid), sum(below.flatMap(answers)), "what agents took is what their answers say");
  const known = root.records.flatMap(record =>
    record.kind === "child" && record.phase === "changed" ? record.callId : [],
  );
  const changed = below.flatMap(({ id, records }) =>
    records.flatMap(record => (record.kind === "result" && record.changes?.length ? `${id}/${record.callId}` : [])),
  );
  assert.deepEqual(
    changed.filter(callId => !known.includes(callId)),
    [],
    "changes that the caller does not know",
  );
  return all.flatMap(each => each.records).filter(record => record.kind === "child" && record.reason === "interrupted")
    .length;
}
