/** What the host does where the panel looks for words in the conversation. */

import type { Session } from "../../../core/agent/session/session";
import { findInLog } from "../../../core/log/findInLog";
import type { FindPage } from "../../../shared/findProtocol";
import type { PanelHandlers } from "../host/dispatch";

export type FindHandlers = Pick<PanelHandlers, "find" | "findOn">;

/** Of one panel: a search is its own, and goes on where it asks for more. */
export function findHandlers(show: () => Promise<Session>): FindHandlers {
  let search: AsyncGenerator<FindPage> | undefined;
  const next = async (): Promise<FindPage> =>
    (await search?.next())?.value ?? ({ hits: [], done: true, upTo: 0 } satisfies FindPage);
  return {
    async find({ after, ...query }) {
      const { history } = await show();
      // One that is at work ends behind its page.
      void search?.return(undefined);
      search = findInLog(history, query, after);
      return next();
    },
    findOn: next,
  };
}
