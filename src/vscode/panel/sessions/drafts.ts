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
const MAX_DRAFTS = 50;
/** The workspace's memory is written as a whole: of longer drafts together only the newest stay. */
const MAX_CHARS = 4_000_000;

type KeptDrafts = Readonly<Record<string, unknown>>;

export class Drafts implements DraftKeeper {
  constructor(private readonly state: vscode.Memento) {}

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
    if (!isObject(draft)) return;
    this.keep(id, undefined);
    this.keep(undefined, { ...draft, leftIn: id });
  }

  get waiting(): string | undefined {
    return leftIn(this.of(undefined));
  }

  begun(id: string, instead?: string): void {
    const from = this.of(instead) === undefined ? undefined : instead;
    const draft = this.of(from);
    if (!isObject(draft)) return;
    this.keep(from, undefined);
    this.keep(id, { ...draft, leftIn: undefined });
  }

  private get all(): KeptDrafts {
    return this.state.get<KeptDrafts>(DRAFTS) ?? {};
  }

  private write(drafts: [string, unknown][]): void {
    let room = MAX_CHARS;
    const kept = drafts
      .slice(-MAX_DRAFTS)
      .toReversed()
      .filter(([, draft], at) => {
        const size = JSON.stringify(draft).length;
        if (size > room && at > 0) return false;
        room -= size;
        return true;
      });
    void this.state.update(DRAFTS, Object.fromEntries(kept.reverse()));
  }
}

const leftIn = (draft: unknown) => (isObject(draft) && typeof draft.leftIn === "string" ? draft.leftIn : undefined);

function isNothing(draft: unknown): boolean {
  if (typeof draft !== "object" || draft === null) return true;
  const { draft: text = "", inFlight = [], answers = {} } = draft as Record<string, unknown>;
  return text === "" && Array.isArray(inFlight) && inFlight.length === 0 && Object.keys(answers ?? {}).length === 0;
}
