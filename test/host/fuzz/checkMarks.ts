/** No key that somebody pressed is lost, doubled or moved; what was refused leaves no trace. Pure. */
import { callsOf, withLf } from "./calls";
import { marksIn, named, writerOf } from "./marks";
import type { ReviewOp } from "./plan";
import type { Happening, Trace } from "./trace";

/** A sentence for each thing that went wrong. */
export function checkMarks(trace: Trace): string[] {
  return [...checkEachChange(trace), ...checkTyped(trace), ...checkCalls(trace), ...checkPut(trace)];
}

/** What is under way at a place of the trace, and which marks it may bring. */
class UnderWay {
  private readonly marks = new Map<number, readonly string[]>();
  private readonly reviews = new Map<number, ReviewOp>();
  private readonly ofAgent = new Map<number, readonly string[]>();

  take(happening: Happening): void {
    if (happening.kind === "begin" && happening.who === "user") this.marks.set(happening.number, happening.marks);
    if (happening.kind === "begin" && happening.who === "agent")
      this.ofAgent.set(happening.agent, happening.intent?.marks ?? []);
    if (happening.kind === "allowed")
      this.ofAgent.set(happening.agent, [...(this.ofAgent.get(happening.agent) ?? []), ...happening.marks]);
    if (happening.kind === "begin" && happening.who === "review") this.reviews.set(happening.number, happening.op);
    if (happening.kind === "end") this.marks.delete(happening.number);
    if (happening.kind === "end") this.reviews.delete(happening.number);
    if (happening.kind === "applying") this.marks.set(happening.apply, this.ofAgent.get(happening.agent) ?? []);
    if (happening.kind === "applied") this.marks.delete(happening.apply);
  }

  may(mark: string): boolean {
    return [...this.marks.values()].some(marks => marks.includes(mark));
  }

  /**
   * A review takes away what an agent wrote, and brings back what one had written before: nobody else's. A rewind takes edits
   * as they were allowed, with what the person put into them.
   */
  mayTakeBack(mark: string): boolean {
    const isRewound = [...this.reviews.values()].some(op => /rewind/i.test(op));
    return this.reviews.size > 0 && (writerOf(mark) === "agent" || (isRewound && writerOf(mark) === "reviewer"));
  }
}

/** Each change of the editor's text is somebody's: the person's undo, what is on disk, or what is under way. */
function checkEachChange({ happenings }: Trace): string[] {
  const wrong: string[] = [];
  const underWay = new UnderWay();
  const onDisk = new Set<string | undefined>();
  const seen = new Set<string>();
  let before: string | undefined;
  for (const [at, happening] of happenings.entries()) {
    underWay.take(happening);
    if (happening.kind === "disk") onDisk.add(happening.text && withLf(happening.text));
    if (happening.kind === "closed") before = undefined;
    if (happening.kind !== "buffer" && happening.kind !== "opened") continue;
    const { text } = happening;
    if (happening.kind === "buffer") onDisk.add(happening.disk && withLf(happening.disk));
    const isTheirs = (happening.kind === "buffer" && happening.reason !== undefined) || onDisk.has(withLf(text));
    if (!isTheirs && before !== undefined)
      wrong.push(...explain(before, text, underWay, seen).map(words => `${words}, at ${at}`));
    for (const mark of doubled(text)) wrong.push(`${named(mark)} stands there twice, at ${at}`);
    for (const mark of marksIn(text)) seen.add(mark);
    before = text;
  }
  return wrong;
}

/** What is wrong with a change that is neither the person's undo nor what is on disk. */
function explain(before: string, after: string, underWay: UnderWay, seen: ReadonlySet<string>): string[] {
  const [old, now] = [marksIn(before), marksIn(after)];
  const lost = old.filter(mark => !now.includes(mark) && !underWay.mayTakeBack(mark));
  const isBack = (mark: string) => seen.has(mark) && underWay.mayTakeBack(mark);
  const gained = now.filter(mark => !old.includes(mark) && !isBack(mark));
  const moved = now.filter(mark => old.includes(mark)).join("") !== old.filter(mark => now.includes(mark)).join("");
  return [
    ...lost.map(mark => `${named(mark)} was lost`),
    ...gained.filter(mark => !underWay.may(mark)).map(mark => `${named(mark)} came from nowhere`),
    ...(moved ? ["marks changed places"] : []),
  ];
}

const doubled = (text: string) => marksIn(text).filter((mark, at, all) => all.indexOf(mark) !== at);

/** What the person typed arrived. */
function checkTyped({ happenings }: Trace): string[] {
  return happenings.flatMap((begin, from) => {
    if (begin.kind !== "begin" || begin.who !== "user" || begin.marks.length === 0) return [];
    const to = happenings.findIndex(other => other.kind === "end" && other.number === begin.number);
    const end = happenings[to];
    const arrived = happenings
      .slice(from, to)
      .some(other => other.kind === "buffer" && begin.marks.every(mark => other.text.includes(mark)));
    const typed = end?.kind === "end" && /^(typed|inserted)$/.test(end.note);
    return typed && !arrived ? [`${begin.marks.map(named)} was typed and never arrived`] : [];
  });
}

/** What a rewind puts on disk takes nothing away that a person or another program wrote; unless others write just then. */
function checkPut({ happenings }: Trace): string[] {
  const programs = new Set<number>();
  const others = new Map<number, { text: string; isAlone: boolean }>();
  const wrong: string[] = [];
  for (const happening of happenings) {
    if (happening.kind === "begin" && happening.who === "outside") {
      programs.add(happening.number);
      for (const put of others.values()) put.isAlone = false;
    }
    if (happening.kind === "end") programs.delete(happening.number);
    if (happening.kind === "putting")
      others.set(happening.number, { text: happening.text ?? "", isAlone: programs.size === 0 });
    if (happening.kind !== "put") continue;
    const { text, isAlone } = others.get(happening.number) ?? { text: "", isAlone: false };
    others.delete(happening.number);
    if (!isAlone || happening.outcome !== "done") continue;
    const lost = marksIn(text).filter(mark => /user|outside/.test(writerOf(mark)) && !happening.text?.includes(mark));
    wrong.push(...lost.map(mark => `${named(mark)} was lost on disk by a rewind`));
  }
  return wrong;
}

/** A call that failed or was refused leaves no trace; one that was made is seen. */
function checkCalls(trace: Trace): string[] {
  const texts = trace.happenings.flatMap((happening): string[] => {
    if (happening.kind === "buffer") return [happening.text, happening.disk ?? ""];
    if (happening.kind === "disk" || happening.kind === "opened") return [happening.text ?? ""];
    return [];
  });
  return callsOf(trace).flatMap(({ intent, status, result, marks, allowed }) => {
    const found = marks.filter(mark => texts.some(text => text.includes(mark)));
    if (status !== "ok") return found.map(mark => `${named(mark)} was written, by a call that ended in ${status}`);
    // Of what a person allowed, it is what they allowed last.
    const due = allowed ? marksIn(allowed.accepted).filter(mark => marks.includes(mark)) : marks;
    const missing = due.filter(mark => !found.includes(mark) && !isReplaced(mark, intent?.replacements ?? []));
    return missing.map(mark => `${named(mark)} was never written, though "${result.digest}"`);
  });
}

/** A later edit of the same call took it away again. */
const isReplaced = (mark: string, replacements: readonly [string, string][]) =>
  replacements.some(([before, after]) => before.includes(mark) && !after.includes(mark));
