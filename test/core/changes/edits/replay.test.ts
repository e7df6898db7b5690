/** 500 edits out of a repository's history, made again while colleagues change the same files: all are made, or say why not. */
import assert from "node:assert/strict";
import { gitMerges } from "../../../fakes/gitMerge";
import { Random } from "../../../fakes/random";
import { cases } from "../../../fakes/soak";
import { codeHistory, type Revision } from "./codeHistory";
import { gitHistory } from "./gitHistory";
import { made, type Replayed, replay } from "./replaying";

async function replayAll(revisions: Iterable<Revision>, most: number): Promise<Replayed[]> {
  const all: Replayed[] = [];
  let seed = 0;
  for (const revision of revisions) {
    if (all.length >= most) break;
    all.push(...(await replay(revision, new Random(++seed))));
  }
  return all;
}

/** What git makes of those that came on a text that had changed. */
async function references(all: readonly Replayed[]): Promise<(string | undefined)[]> {
  const sides = all.map(({ replacements, known, now }) => {
    const ours = made(replacements, known);
    return typeof ours === "string" && known !== now ? { base: known, ours, theirs: now } : undefined;
  });
  const merged = await gitMerges(sides.filter(side => side !== undefined));
  return sides.map(side => side && merged.shift());
}

/** How a call ended; throws where it should have ended otherwise. */
function judge(call: Replayed, merged: string | undefined): string {
  const { replacements, known, now, after, status, text } = call;
  const [ours, direct] = [made(replacements, known), made(replacements, now)];
  if (status !== "ok") assert.equal(after, now, "what is refused changes nothing");
  if (typeof ours === "number") return judgeQuotation(call, direct);
  if (known === now) {
    assert.deepEqual([status, after], ["ok", ours], text);
    return "made";
  }
  assert.match(text, /changed since you read it|Since you read the file, it changed/);
  if (status === "ok") {
    if (after === merged) return "made beside a change";
    // Of several ways to see what was inserted between equal lines git takes one, and finds it in the way or puts it elsewhere.
    assert.ok(after === direct || hasBoth(known, ours, now, after), `git makes of it:\n${merged}`);
    return merged === undefined ? "made where git sees a conflict" : "made, with what was inserted the other way round";
  }
  if (status === "NO_MATCH") {
    assert.match(text, /holds this change already/);
    assert.equal(merged, now);
    return "made by somebody else";
  }
  assert.equal(status, "CONFLICT", text);
  assert.match(text, /where this edit is made\. Nothing was changed\./);
  assert.match(text, /What stands there now:\n\d+\t|What stood before line \d+ is gone; you read:\n\d+\t/);
  assert.match(text, /What your edit would put there:\n\d+\t|Your edit would leave nothing there\./);
  assert.match(text, /edit again, quoting the text as it stands now\.$/);
  return merged === undefined ? "a conflict" : "a conflict that git does not see";
}

/** Each line as often as both sides' changes leave it. */
function hasBoth(base: string, ours: string, theirs: string, merged: string): boolean {
  const [b, o, t, m] = [base, ours, theirs, merged].map(text => text.split("\n")) as [
    string[],
    string[],
    string[],
    string[],
  ];
  const count = (lines: string[], line: string) => lines.filter(other => other === line).length;
  return [...new Set([...b, ...o, ...t, ...m])].every(
    line => count(m, line) === count(o, line) + count(t, line) - count(b, line),
  );
}

/** It does not quote what was read: it may be what stands now, else it is explained. */
function judgeQuotation({ now, after, status, text, replacements }: Replayed, direct: string | number): string {
  if (typeof direct === "string") {
    assert.deepEqual([status, after], ["ok", direct], text);
    return "made as it stands now";
  }
  if (direct === 0) {
    assert.equal(status, "NO_MATCH");
    assert.match(text, /old_string is not in .*Nothing was changed\.$/s);
    // A later edit of several looks at what the ones before it left.
    if (replacements.length === 1) assertExplained(text, now, replacements[0]?.[1] ?? "");
    return "quotes what is not there";
  }
  assert.equal(status, "AMBIGUOUS");
  const [old = ""] = replacements[0] ?? [];
  const lines = placesOf(old, now).map(at => now.slice(0, at).split("\n").length);
  const listed = lines.slice(0, 10).join(", ") + (lines.length > 10 ? ` and ${lines.length - 10} more` : "");
  assert.ok(text.includes(`is in `) && text.includes(`${lines.length} times, at lines ${listed}.`), text);
  return "quotes what stands there more than once";
}

/** The explanation is true of the text. */
function assertExplained(told: string, text: string, newString: string): void {
  const lines = text.split("\n");
  const [, already] = /new_string is there already, at line (\d+)/.exec(told) ?? [];
  if (already !== undefined) {
    const start = lines.slice(0, Number(already) - 1).join("\n").length;
    assert.ok(text.indexOf(newString, start) - start <= (lines[Number(already) - 1]?.length ?? 0) + 1, told);
    return;
  }
  assert.match(told, /The closest lines are:\n.*(The difference:\n|They differ at the ends|has a line that the file)/s);
  const shown = [...told.matchAll(/^ *(\d+)\t(.*)$/gm)];
  assert.ok(shown.length > 0);
  for (const [, line, words = ""] of shown)
    assert.ok(lines[Number(line) - 1]?.startsWith(words.replace(/…$/, "")), told);
}

function placesOf(wanted: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) places.push(at);
  return places;
}

async function judgeAll(all: readonly Replayed[]): Promise<Map<string, number>> {
  const merged = await references(all);
  const ends = new Map<string, number>();
  for (const [at, call] of all.entries()) {
    try {
      const end = judge(call, merged[at]);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    } catch (error) {
      throw new Error(
        `call ${at}: ${error instanceof Error ? error.message : error}\n${JSON.stringify(call, null, 1)}`,
        { cause: error },
      );
    }
  }
  return ends;
}

describe("edits of a history, replayed while colleagues change the files", () => {
  it("500 of a generated repository: each is made rightly, or says exactly why not", async () => {
    const count = cases(500);
    const all = await replayAll(codeHistory(new Random(4), Number.POSITIVE_INFINITY), count);
    const ends = await judgeAll(all);
    const share = (end: string) => (ends.get(end) ?? 0) / all.length;
    const told = JSON.stringify([...ends]);
    // Of a tenth of them, the rarer ends are not all there.
    if (count < 500)
      return assert.equal(
        [...ends.values()].reduce((sum, n) => sum + n, 0),
        all.length,
      );
    assert.ok(share("made") > 0.25 && share("made beside a change") > 0.25, told);
    assert.ok(share("made where git sees a conflict") < 0.05, told);
    assert.ok(share("made, with what was inserted the other way round") < 0.01, told);
    assert.ok(share("a conflict") > 0.01 && share("a conflict that git does not see") < 0.02, told);
    assert.ok(
      share("quotes what is not there") > 0.01 && share("quotes what stands there more than once") > 0.01,
      told,
    );
  });

  it("500 of this project's own history, where it is at hand", async function () {
    const revisions = gitHistory(cases(400));
    if (revisions.length < cases(400)) return this.skip();
    const all = await replayAll(revisions, cases(500));
    const ends = await judgeAll(all);
    const share = (end: string) => (ends.get(end) ?? 0) / all.length;
    const told = JSON.stringify([...ends]);
    assert.ok(share("made beside a change") > 0.25 && share("made where git sees a conflict") < 0.05, told);
  });
});
