/**
 * What was typed and not sent, by session: a reload of the window loses none of it, and neither does going to another session.
 * Read where the page is made, so it is parsed by who uses it.
 */
import type * as vscode from "vscode";
import type { DraftKeeper } from "./sessions";

const DRAFTS = "strata.drafts";
/** Versions before kept one for all sessions. */
const ONE_DRAFT = "strata.draft";
/** of a session that does not exist yet */
const NEXT = "";
/** The workspace's memory is written as a whole: of long drafts fewer are kept. The newest always is. */
const MAX_DRAFTS = 50;
const MAX_CHARS = 200_000;

type KeptDrafts = Readonly<Record<string, unknown>>;

export class Drafts implements DraftKeeper {
  /** @param last the session that was shown last */
  constructor(
    private readonly state: Pick<vscode.Memento, "get" | "update">,
    last: string | undefined,
  ) {
    const one = state.get(ONE_DRAFT);
    if (one === undefined) return;
    this.keep(last, one);
    void state.update(ONE_DRAFT, undefined);
  }

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
    this.keep(undefined, draft);
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
    let chars = 0;
    const kept = drafts.slice(-MAX_DRAFTS).reverse();
    const fits = kept.filter(([, draft], at) => {
      chars += JSON.stringify(draft).length;
      return at === 0 || chars <= MAX_CHARS;
    });
    void this.state.update(DRAFTS, Object.fromEntries(fits.reverse()));
  }
}

function isNothing(draft: unknown): boolean {
  if (typeof draft !== "object" || draft === null) return true;
  const { draft: text = "", inFlight = [], answers = {} } = draft as Record<string, unknown>;
  return text === "" && Array.isArray(inFlight) && inFlight.length === 0 && Object.keys(answers ?? {}).length === 0;
}
