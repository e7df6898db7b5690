/** What all sessions take on disk: said where it is too much, removed only when the user says so. */
import * as vscode from "vscode";
import { type Clock, type Logger, type SessionMeta, type SessionStorage, StorageError } from "../../core/ground/ports";
import { formatClockTime, inSentences, sizeText } from "../../shared/format";
import { plural, t } from "../../shared/l10n";
import type { PanelSurroundings } from "../../shared/panelSnapshot";
import type { Sessions } from "../panel/sessions/sessions";
import { logged } from "../platform/async";
import { chooseSeveral, inform, saysYes, warn } from "../platform/messages";
import { deletionWords } from "../platform/messageText";
import type { VSCodeSettings } from "../platform/settings";

/** Measuring looks at every file of every session. */
const MEASURE_AGAIN_MS = 10 * 60_000;

interface StorageLimitDeps {
  storage: SessionStorage;
  settings: VSCodeSettings;
  clock: Clock;
  logger: Logger;
  /** `over` says something else now */
  onChange(): void;
}

export class StorageLimit {
  /** undefined: they take no more than `strata.storage.maxBytes`, or it was not measured yet */
  over: PanelSurroundings["storage"];
  private measured: number | undefined;

  constructor(private readonly deps: StorageLimitDeps) {}

  /** Measures now, when the setting changes, and now and then when work ends. */
  follow(sessions: Sessions): vscode.Disposable {
    let limit = this.maxBytes;
    this.measureLater();
    const settings = this.deps.settings.onDidChange(() => {
      if (this.maxBytes !== limit) this.measureLater();
      limit = this.maxBytes;
    });
    const work = sessions.subscribe((_, event) => {
      const due = this.measured === undefined || this.deps.clock.now() - this.measured > MEASURE_AGAIN_MS;
      if (event.type === "state" && event.state === "idle" && due) this.measureLater();
    });
    return vscode.Disposable.from(settings, work);
  }

  /** Asks which to remove, those that would have to go chosen already, and once more before it does. What is in the trash comes first. */
  async removeSessions(shown: string | undefined): Promise<void> {
    const { storage, clock } = this.deps;
    const [list, trash, sizes] = await Promise.all([storage.list(), storage.deleted(), this.sizes()]);
    const deleted = trash.map(({ key, deleted: at, meta }) => ({ ...meta, id: key, updated: at, isDeleted: true }));
    const oldest = list.filter(({ id }) => id !== shown).sort((a, b) => a.updated - b.updated);
    const all: RemovableSession[] = [...deleted.reverse(), ...oldest];
    if (all.length === 0) return void inform(t("There are no other sessions in this workspace."));
    const chosen = await chooseSessions(all, sizes, this.maxBytes, clock.now());
    if (chosen.length === 0 || !(await mayDelete(chosen))) return;
    const problems: string[] = [];
    for (const { id, title, isDeleted } of chosen) {
      try {
        await (isDeleted ? storage.purge(id) : storage.remove(id));
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        problems.push(`${title || t("Untitled session")}: ${error.message}`);
      }
    }
    if (problems.length > 0) void warn(inSentences(problems));
    await this.measure();
  }

  private get maxBytes(): number {
    return this.deps.settings.get()["storage.maxBytes"];
  }

  private async sizes(): Promise<Map<string, number>> {
    return new Map((await this.deps.storage.usage()).map(({ id, bytes }) => [id, bytes]));
  }

  private measureLater(): void {
    const unknown = logged(this.deps.logger, "warning", "the size of the sessions on disk could not be measured");
    this.measure().catch(unknown);
  }

  private async measure(): Promise<void> {
    this.measured = this.deps.clock.now();
    const { maxBytes } = this;
    const bytes = maxBytes === 0 ? 0 : total(await this.sizes());
    const before = this.over;
    this.over = bytes > maxBytes ? { bytes, maxBytes } : undefined;
    if (before?.bytes !== this.over?.bytes || before?.maxBytes !== this.over?.maxBytes) this.deps.onChange();
  }
}

/** `isDeleted`: it is in the trash, and its `id` is its key there */
interface RemovableSession extends SessionMeta {
  isDeleted?: boolean;
}

const total = (sizes: ReadonlyMap<string, number>) => [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);

/** @param oldest first; @param maxBytes 0: no limit */
async function chooseSessions(
  oldest: readonly RemovableSession[],
  sizes: ReadonlyMap<string, number>,
  maxBytes: number,
  now: number,
): Promise<RemovableSession[]> {
  let rest = maxBytes === 0 ? 0 : total(sizes);
  const items = oldest.map(meta => {
    const { id, title, turns, updated, isDeleted } = meta;
    const bytes = sizes.get(id) ?? 0;
    const picked = rest > maxBytes;
    rest -= bytes;
    const when = formatClockTime(updated, now);
    const facts = [sizeText(bytes), plural(turns, "1 turn", "{0} turns"), isDeleted ? t("deleted {0}", when) : when];
    return { meta, label: title || t("Untitled session"), description: facts.join(" · "), picked };
  });
  const placeHolder = t("Oldest first. Selected sessions are permanently deleted");
  const chosen = await chooseSeveral(items, { title: t("Remove Sessions"), placeHolder });
  return (chosen ?? []).map(({ meta }) => meta);
}

/** Asks before sessions go for good; whoever just closes the question keeps them. */
export function mayDelete(chosen: readonly Pick<SessionMeta, "title">[]): Promise<boolean> {
  const { question, detail } = deletionWords(chosen.map(({ title }) => title || t("Untitled session")));
  return saysYes(question, detail, t("Delete"));
}
