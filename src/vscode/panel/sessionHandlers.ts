/** What the host does for the panel's list of sessions. */

import { SessionError, type SessionStorage } from "../../core/ground/ports";
import type { SessionSearch } from "../../core/log/sessionSearch";
import { t } from "../../shared/l10n";
import { handlersFor } from "./host/dispatch";
import type { PanelAt } from "./host/panelHost";
import type { Sessions } from "./sessions/sessions";

export interface SessionHandlerDeps {
  sessions: Sessions;
  storage: SessionStorage;
  search: SessionSearch;
  /** @returns the id of the copy */
  duplicate(id: string): Promise<string>;
  /** The person chooses a format and a file. */
  exportSession(id: string): Promise<void>;
  /** Asks whether this one may go for good. */
  mayPurge(title: string): Promise<boolean>;
  /** What went wrong after the request was answered. */
  complain(error: unknown): void;
  /** @param id absent: a new one. false: it is in one already, which comes to the front */
  openTab(id: string | undefined, title: string): boolean;
  /** Lists of sessions are out of date. */
  changed(): void;
  /** Places show another session now. */
  turned(ids: readonly string[]): Promise<void>;
}

export function sessionHandlers(deps: SessionHandlerDeps, { place, draftMoved }: PanelAt) {
  const { sessions, storage } = deps;
  return handlersFor({
    async sessions() {
      const [all, trash] = await Promise.all([sessions.list(), storage.deleted()]);
      const deleted = trash.map(({ key, deleted: at, meta: { title, turns } }) => ({ key, title, turns, deleted: at }));
      return { sessions: all, deleted };
    },
    searchSessions: async ({ query, from }) => deps.search.next(query, from),
    async renameSession({ id, title }) {
      if (title.trim() === "") throw new SessionError(t("A session needs a name."));
      await sessions.label(id, { title });
      deps.changed();
    },
    async pinSession({ id, pinned }) {
      await sessions.label(id, { pinned });
      deps.changed();
    },
    async duplicateSession({ id }) {
      const copy = await deps.duplicate(id);
      deps.changed();
      return { id: copy };
    },
    async openSessionTab({ id }) {
      const title = (await sessions.list()).find(session => session.id === id)?.title ?? "";
      // The new one comes up with what was typed for the session. One that was there has a text of its own.
      if (deps.openTab(id, title) && id !== undefined) draftMoved(id);
    },
    // A person takes longer to answer than a request waits: so for the last one here.
    exportSession: async ({ id }) => void deps.exportSession(id).catch(deps.complain),
    async deleteSession({ id }) {
      const { key, shown } = await sessions.trash(id);
      deps.changed();
      await deps.turned(shown);
      return { key };
    },
    async restoreSession({ key }) {
      const id = await storage.restore(key);
      deps.changed();
      return { id };
    },
    async restoreShown() {
      const id = place().session?.id;
      const found = (await storage.deleted()).find(({ meta }) => meta.id === id);
      if (!found) throw new SessionError(t("This session is no longer in the trash."));
      await storage.restore(found.key);
      deps.changed();
    },
    purgeSession: async ({ key }) => void purgeAsked(deps, key).catch(deps.complain),
  });
}

async function purgeAsked({ storage, mayPurge, changed }: SessionHandlerDeps, key: string): Promise<void> {
  const found = (await storage.deleted()).find(each => each.key === key);
  if (!found) throw new SessionError(t("This session is no longer in the trash."));
  if (!(await mayPurge(found.meta.title))) return;
  await storage.purge(key);
  changed();
}
