/**
 * What was typed and not sent, by session: a reload of the window loses none of it, and neither does going to another session.
 * Read where the page is made, so it is parsed by who uses it.
 */
import type * as vscode from "vscode";
import { isObject } from "../../../shared/isObject";
import type { DraftKeeper } from "./sessions";

const DRAFTS = "strata.drafts";
/** of a session that does not exist yet */
const NEXT = "";
/** The workspace's memory is written as a whole: of long drafts fewer are kept. The newest always is. */
const MAX_DRAFTS = 50;
/** of all long ones together; a short one always stays, whatever the others hold */
const MAX_CHARS = 200_000;
const SHORT_CHARS = MAX_CHARS / MAX_DRAFTS;
/** of what was pasted, apart from the words: as much as the newest may have, twice */
const MAX_HELD = 4_000_000;

type KeptDrafts = Readonly<Record<string, unknown>>;

export class Drafts implements DraftKeeper {
  constructor(private readonly state: Pick<vscode.Memento, "get" | "update">) {}

  of(id: string | undefined): unknown {
    return this.all[id ?? NEXT];
  }

  /** @param draft what stands there now; with nothing in it, it is forgotten */
  keep(id: string | undefined, draft: unknown): void {
    const { [id ?? NEXT]: _, ...others } = this.all;
    if (isNothing(draft)) this.write(Object.entries(others));
    else this.write([...Object.entries(others), [id ?? NEXT, draft]]);
  }

  left(id: string): void {
    const draft = this.of(id);
    if (draft === undefined) return;
    this.keep(id, undefined);
    this.keep(undefined, withoutPictures(draft));
  }

  begun(id: string, instead?: string): void {
    const from = this.of(instead) === undefined ? undefined : instead;
    const draft = this.of(from);
    if (draft === undefined) return;
    this.keep(from, undefined);
    this.keep(id, draft);
  }

  private get all(): KeptDrafts {
    return this.state.get<KeptDrafts>(DRAFTS) ?? {};
  }

  private write(drafts: [string, unknown][]): void {
    const newestFirst = drafts.slice(-MAX_DRAFTS).reverse();
    const words = new DraftRoom(MAX_CHARS);
    const held = new DraftRoom(MAX_HELD);
    const kept = newestFirst.flatMap(([id, draft], at): [string, unknown][] => {
      const { held: things, ...own } = partsOf(draft);
      const size = sizeOf(own);
      if (!words.takes(size, at === 0) && size > SHORT_CHARS) return [];
      const fits = Object.entries(things ?? {}).filter(([, thing]) => held.takes(sizeOf(thing), at === 0));
      return [[id, fits.length > 0 ? { ...own, held: Object.fromEntries(fits) } : own]];
    });
    void this.state.update(DRAFTS, Object.fromEntries(kept.reverse()));
  }
}

/** Only what fits takes some of it. */
class DraftRoom {
  constructor(private left: number) {}

  /** @param always it is taken, whether it fits or not */
  takes(chars: number, always: boolean): boolean {
    if (chars > this.left && !always) return false;
    this.left -= chars;
    return true;
  }
}

/** A picture is in the files of the session that was left. */
function withoutPictures(draft: unknown): unknown {
  const { held, ...own } = partsOf(draft);
  const texts = Object.entries(held ?? {}).filter(([, thing]) => isObject(thing) && thing.kind === "text");
  return texts.length > 0 ? { ...own, held: Object.fromEntries(texts) } : own;
}

const sizeOf = (value: unknown) => JSON.stringify(value).length;
const partsOf = (draft: unknown) => draft as { held?: Readonly<Record<string, unknown>> };

function isNothing(draft: unknown): boolean {
  if (typeof draft !== "object" || draft === null) return true;
  const { draft: text = "", inFlight = [], answers = {} } = draft as Record<string, unknown>;
  return text === "" && Array.isArray(inFlight) && inFlight.length === 0 && Object.keys(answers ?? {}).length === 0;
}
