/** Why prefixes broke is worked out from the log and the segments: what a manifest says beside that is found. */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { AssembledRequest } from "../../../src/core/context/assemble";
import { requestHash } from "../../../src/core/context/compose";
import { type Defect, readRequests } from "../../../src/core/context/requestChain";
import { buildManifest, type PreviousRequest, spliceSegments } from "../../../src/core/context/requestLog";
import { isLedger } from "../../../src/core/ground/text/sources";
import type { Conversation } from "../../../src/core/log/conversation";
import { CauseChecker } from "../../../src/core/proof/causes";
import { Replay } from "../../../src/core/proof/replay";
import { type BreakCause, breakCauses, type Manifest } from "../../../src/shared/manifest";
import type { LogRecord } from "../../../src/shared/records";
import { hash } from "../../fakes/hash";
import { bytesOf, chained, fullSession, verifyBytes, wholeLists } from "../../fakes/proof";
import { asItIs } from "../../fakes/redact";
import { cases } from "../../fakes/soak";
import { type Course, live, requestOf, turningCourses } from "../context/anySession";

type Meta = Partial<Parameters<typeof buildManifest>[1]>;

/** The lines that a request log would have. */
class Requests {
  readonly manifests: Manifest[] = [];
  private previous: PreviousRequest | undefined;

  send(request: AssembledRequest, meta: Meta = {}): Manifest {
    const place = { runId: "run1", turn: 1, step: 1, attempt: 1, ts: 0, bodySha256: null, repaired: false };
    const requestId = `q${this.manifests.length}`;
    const manifest = buildManifest(request, { requestId, model: "m", ...place, ...meta }, this.previous, hash);
    this.manifests.push(manifest);
    this.previous = {
      model: manifest.model,
      ...(manifest.purpose ? { purpose: manifest.purpose } : {}),
      segments: spliceSegments(this.previous?.segments ?? [], manifest),
      self: manifest.self,
      sinceWhole: { manifests: 0, segments: 0 },
    };
    return manifest;
  }
}

const OPEN: Defect = { kind: "cause", text: "nobody can tell" };

function defectsOf(manifests: readonly Manifest[], records: readonly LogRecord[], isWhole = true) {
  const replay = new Replay(records, hash, isWhole);
  const checker = new CauseChecker(replay);
  const defects = [...readRequests(chained(wholeLists(manifests)), hash)].flatMap(entry => {
    const moment = replay.moment(entry);
    return [...entry.defects, ...moment.defects, ...checker.check(entry, moment)];
  });
  return isWhole ? defects : [...defects, ...Array<Defect>(checker.open).fill(OPEN)];
}

/** An answer that comes names the request that went out for it. @param next what was written behind that one */
function answer(next: LogRecord | undefined, sent: Manifest | undefined): void {
  if (next?.kind !== "message" || next.message.role !== "assistant" || !sent || sent.purpose) return;
  const { turn, step } = next.message.metadata;
  if (turn === sent.turn && step === sent.step) next.message.metadata.requestId = sent.requestId;
}

/** Nobody folds between two tries of one step, but after a refusal, which sends its cause with it. */
function isShortened(place: Pick<Manifest, "turn" | "runId" | "step">, last: Manifest | undefined, log: LogRecord[]) {
  const isSame = last && (["turn", "runId", "step"] as const).every(key => last[key] === place[key]);
  return isSame && log.some(({ kind }) => kind === "fold" || kind === "compaction");
}

const withCause = (manifests: readonly Manifest[], at: number, cause: BreakCause) =>
  manifests.map((manifest, each) => (each === at ? { ...manifest, cause } : manifest));

const did = (does: string, more: object = {}) => ({ does, ...more }) as Course[number];
const step = (lines = 1) =>
  did("step", { text: "a", results: [{ shown: "line\n".repeat(lines), kept: "kept", folded: "f" }] });
const ask = did("ask", { text: "do it" });
const end = did("end", { unsettled: true });

/** As `requestOf` has it. */
const placeOf = ({ turn, turnOpen }: Conversation): [number, string] =>
  turnOpen ? [turn, `run${turn}`] : [turn + 1, `run${turn + 1}`];

/** The conversation and its log after each part of a course; each is one request. */
function played(...parts: Course[]) {
  const records: LogRecord[] = [];
  const course = parts.flat();
  const stops = parts.map((_, at) => parts.slice(0, at + 1).flat().length);
  const requests = new Requests();
  let done = 0;
  const send = (meta: (at: number) => Meta, request: (at: number) => Parameters<typeof requestOf>[2] = () => ({})) => {
    for (const conversation of live(course, records)) {
      done += 1;
      const at = stops.indexOf(done);
      if (at < 0) continue;
      const { step: now, rewound } = conversation;
      const [turn, runId] = placeOf(conversation);
      requests.send(requestOf(conversation, new WeakMap(), request(at)), {
        ...{ turn, runId, step: now + 1, rewound },
        ...meta(at),
      });
    }
    return { manifests: requests.manifests, records };
  };
  return { send };
}

type Scene = { manifests: Manifest[]; records: LogRecord[] };

const plain = (...parts: Course[]) => played(...parts).send(() => ({}));
const layered = (layers: NonNullable<Parameters<typeof requestOf>[2]>) =>
  played([ask, step()], [step()]).send(
    () => ({}),
    at => (at === 1 ? layers : {}),
  );

/** Two requests over one conversation that differ in what is put together around it. */
function around(
  first: Parameters<typeof requestOf>[3],
  second: Parameters<typeof requestOf>[3],
  meta: Meta = {},
): Scene {
  const records: LogRecord[] = [];
  const requests = new Requests();
  for (const [at, conversation] of [...live([ask, step()], records)]
    .slice(-1)
    .flatMap(each => [each, each])
    .entries())
    requests.send(requestOf(conversation, new WeakMap(), {}, at === 0 ? first : second), at === 0 ? {} : meta);
  return { manifests: requests.manifests, records };
}

const long = [did("ask", { text: "do it ".repeat(40) }), step(40), step(40), end];
const compacted = [...Array.from({ length: 12 }, () => long).flat(), did("compact", { window: 20_000 })];

/** Whatever is put together: a cause that the projection and the sender gave. */
const scenes: Record<Exclude<BreakCause, "branch">, () => Scene> = {
  "turn-end": () => plain([ask, step(9)], [end, did("settle"), ask]),
  fold: () =>
    plain(
      [ask, step(40), step(40), step(40), ...Array.from({ length: 12 }, () => step())],
      [did("fold", { foldAt: 40 }), step()],
    ),
  compaction: () => plain(compacted.slice(0, -2), [...compacted.slice(-2), ask]),
  undo: () => plain([...compacted, ask], [end, did("undo"), ask]),
  rewind: () =>
    plain([...long, ...long.slice(0, -1)], [end, did("rewind", { to: 1 }), did("ask", { text: "otherwise" })]),
  "rules-changed": () => layered({ rules: [{ source: "rules:AGENTS.md", text: asItIs("Be kind."), trust: "rules" }] }),
  "skills-changed": () => layered({ skills: asItIs("Skills: one") }),
  "tools-changed": () => around({}, { tools: [{ name: "X", description: asItIs(""), inputSchema: {} }] }),
  "model-changed": () => around({}, {}, { model: "other" }),
  "protocol-changed": () => around({}, { writesTools: true }),
  "workspace-changed": () => layered({ facts: asItIs("darwin") }),
  "app-updated": () => layered({ system: "You are another." }),
  "log-repaired": () => mended(),
  "context-error-retry": () => refused(),
};

/** A line of the log was lost, and the person was told. */
function mended(): Scene {
  const { manifests, records } = plain([ask, step()]);
  const requests = new Requests();
  const other = structuredClone(records.find(({ kind }) => kind === "message"));
  if (other?.kind === "message") other.message.id = "m9";
  const [whole] = [...live([ask, step()])].slice(-1);
  if (whole) requests.send(requestOf(whole));
  const [shorter] = [...live([ask])].slice(-1);
  if (shorter)
    requests.send(requestOf({ ...shorter, messages: [{ ...shorter.messages[0]!, id: "m9" }] }), { repaired: true });
  assert.ok(manifests.length > 0);
  const note = { kind: "note", level: "warning", code: "log-broken", text: "lost", id: "n", seq: 9, ts: 9 } as const;
  return { manifests: requests.manifests, records: other ? [other, note] : [] };
}

/** The server refused the request: the same step goes out again, shorter. */
function refused(): Scene {
  const records: LogRecord[] = [];
  const requests = new Requests();
  const course = [...compacted.slice(0, -1), ask, did("compact", { window: 20_000 })];
  let at = 0;
  for (const conversation of live(course, records)) {
    at += 1;
    const [turn, runId] = placeOf(conversation);
    const place = { turn, runId, step: conversation.step + 1 };
    if (at === course.length - 1) requests.send(requestOf(conversation), place);
    if (at === course.length) requests.send(requestOf(conversation), { ...place, cause: "context-error-retry" });
  }
  const told = records.map(record =>
    record.kind === "compaction" ? { ...record, reason: "context-too-long" as const } : record,
  );
  return { manifests: requests.manifests, records: told };
}

describe("the cause of a break, worked out anew", () => {
  for (const [cause, scene] of Object.entries(scenes)) {
    it(`is ${cause} where it says so, and none of the others`, () => {
      const { manifests, records } = scene();
      assert.deepEqual([manifests.length, manifests[1]?.cause], [2, cause]);
      assert.deepEqual(defectsOf(manifests, records), []);
      for (const other of breakCauses.filter(each => each !== cause)) {
        const found = defectsOf(withCause(manifests, 1, other), records);
        assert.deepEqual(
          found.map(({ kind, request, text }) => [kind, request, text.includes(`"${other}"`)]),
          [["cause", 2, true]],
          `${cause} written as ${other}`,
        );
      }
    });
  }

  it("is none where nothing broke", () => {
    const { manifests, records } = plain([ask], [step()]);
    assert.deepEqual([manifests[1]?.cause, defectsOf(manifests, records)], [undefined, []]);
    for (const cause of breakCauses)
      assert.deepEqual(
        defectsOf(withCause(manifests, 1, cause), records).map(({ kind }) => kind),
        ["cause"],
        cause,
      );
  });

  it("is a retry for certain too where the turn ended with it, unanswered", () => {
    const { manifests, records } = refused();
    const { turn = 0, runId = "" } = manifests[1] ?? {};
    const counts = { steps: 1, toolCalls: 0, toolFailures: 0, usage: { input: 1, output: 1 }, durationMs: 1 };
    const seq = (records.at(-1)?.seq ?? 0) + 1;
    const ended: LogRecord = { kind: "turnEnd", id: "e", seq, ts: seq, turn, runId, reason: "error", ...counts };
    const found = defectsOf(withCause(manifests, 1, "compaction"), [...records, ended]);
    assert.deepEqual(
      found.map(({ kind, request }) => [kind, request]),
      [["cause", 2]],
    );
  });

  it("is app-updated where what people said stood among the instructions", () => {
    const records: LogRecord[] = [];
    const conversation = [...live([...compacted, ask], records)].at(-1);
    assert.ok(conversation);
    const ledger = [{ source: "ledger:1", trust: "user" as const, text: "* turn 1: “Never push.”" }];
    const request = requestOf(conversation, new WeakMap(), {}, { ledger });
    const [said, others] = [true, false].map(is => request.segments.filter(({ source }) => isLedger(source) === is));
    const at = others?.findIndex(({ layer }) => layer === "L3");
    const segments = (others ?? []).toSpliced(
      at ?? 0,
      0,
      ...(said ?? []).map(each => ({ ...each, role: "system" as const })),
    );
    const requests = new Requests();
    requests.send({ ...request, segments, sha256: requestHash(segments, request.callOptions, hash) });
    requests.send(request);
    assert.equal(requests.manifests[1]?.cause, "app-updated");
    const found = defectsOf(requests.manifests, records).filter(({ kind }) => kind !== "history");
    assert.deepEqual(found, []);
  });

  it("needs a record that bears it out", () => {
    for (const [cause, kind] of [
      ["fold", "fold"],
      ["compaction", "compaction"],
      ["undo", "undo"],
      ["rewind", "rewind"],
      ["log-repaired", "note"],
    ] as const) {
      const { manifests, records } = scenes[cause]();
      const without = records.filter(record => record.kind !== kind);
      const kinds = new Set(defectsOf(manifests, without).map(each => each.kind));
      assert.ok(kinds.has("cause") || kinds.has("history"), cause);
    }
  });

  it("is open, not wrong, where records are missing", () => {
    const { manifests, records } = scenes.fold();
    const defects = defectsOf(manifests, records.slice(0, 2), false);
    assert.deepEqual(defects, [OPEN]);
  });

  it("is found by verify in a session as it stands on disk", async () => {
    const { disk, id } = await fullSession();
    const original = bytesOf(disk, id);
    const lines = String(original.files.get("requests.jsonl")).split("\n").slice(0, -1);
    const manifests = lines.map((line): Manifest => JSON.parse(line));
    const at = manifests.findIndex(({ cause }) => cause === "turn-end");
    const files = new Map(original.files);
    const written = chained(wholeLists(withCause(manifests, at, "rules-changed"))).map(line => `${line}\n`);
    files.set("requests.jsonl", Buffer.from(written.join("")));
    const { defects, proven, requests } = await verifyBytes({ ...original, files });
    assert.deepEqual(
      defects.map(({ kind, request }) => [kind, request]),
      [["cause", at + 1]],
    );
    assert.equal(proven, requests, "the bytes of all are as they were sent");
  });

  it("raises no false alarm, whatever course a session takes", () => {
    const sessions = fc.record({
      course: turningCourses,
      asks: fc.array(fc.nat(9), { minLength: 25, maxLength: 25 }),
      rules: fc.array(fc.constantFrom("a", "a", "a", "b"), { minLength: 25, maxLength: 25 }),
    });
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(sessions, ({ course, asks, rules }) => {
        const records: LogRecord[] = [];
        const requests = new Requests();
        let [at, sent] = [0, 0];
        let last: Manifest | undefined;
        for (const conversation of live(course, records)) {
          const { step: now, rewound } = conversation;
          // Between turns nothing is asked but for a summary.
          const wanted = conversation.turnOpen || asks[at] === 2 ? (asks[at] ?? 0) : 0;
          const [turn, runId] = wanted === 2 ? [conversation.turn, conversation.runId] : placeOf(conversation);
          const text = asItIs(rules[at] ?? "a");
          at += 1;
          answer(records[sent], requests.manifests.at(-1));
          const place = { turn, runId, step: wanted === 2 ? now : now + 1 };
          const model = wanted === 1 ? "other" : "m";
          if (wanted === 0 || (last?.model === model && isShortened(place, last, records.slice(sent)))) continue;
          const layers = { rules: [{ source: "rules:AGENTS.md", text, trust: "rules" as const }] };
          const manifest = requests.send(requestOf(conversation, new WeakMap(), layers), {
            ...place,
            rewound,
            model,
            ...(wanted === 2 ? { purpose: "summary" as const } : {}),
          });
          if (!manifest.purpose) [last, sent] = [manifest, records.length];
          if (manifest.cause) seen.set(manifest.cause, (seen.get(manifest.cause) ?? 0) + 1);
        }
        const found = defectsOf(requests.manifests, records);
        assert.deepEqual(
          found.filter(({ kind }) => kind !== "prefix"),
          [],
        );
      }),
      { numRuns: cases(2_000) },
    );
    for (const cause of ["fold", "turn-end", "compaction", "rewind", "rules-changed", "model-changed"])
      assert.ok((seen.get(cause) ?? 0) > 1, `${cause}: ${seen.get(cause)}`);
  });
});
