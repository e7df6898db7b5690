/**
 * Characters that occur once in a run. Whatever is typed or written is marked with one: who wrote it can be read off, and
 * that it is lost, doubled or moved can be seen in any text of the run.
 */
const FIRST = { user: 0x4e00, reviewer: 0x8000, outside: 0xac00, agent: 0x3400 } as const;
export type Writer = keyof typeof FIRST;

const MOST = 0x1000;
const MARK = /[\u3400-\u43ff\u4e00-\u5dff\u8000-\u8fff\uac00-\ubbff]/g;

export class Marks {
  private readonly made: Record<Writer, number> = { user: 0, reviewer: 0, outside: 0, agent: 0 };

  make(writer: Writer): string {
    const count = this.made[writer]++;
    if (count >= MOST) throw new Error(`a run has ${MOST} marks of a writer at most`);
    return String.fromCharCode(FIRST[writer] + count);
  }
}

/** In the order in which they stand. */
export const marksIn = (text: string): string[] => text.match(MARK) ?? [];

export function writerOf(mark: string): Writer {
  const code = mark.charCodeAt(0);
  const found = (Object.keys(FIRST) as Writer[]).find(writer => code >= FIRST[writer] && code < FIRST[writer] + MOST);
  if (!found) throw new Error(`${mark} is no mark`);
  return found;
}

/** `user 3`: marks as people can tell them apart. */
export const named = (mark: string): string =>
  `${writerOf(mark)} ${mark.charCodeAt(0) - FIRST[writerOf(mark)]} (${mark})`;
