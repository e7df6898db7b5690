/** What the host does for the view of the context. */

import type { Session } from "../../../core/agent/session/session";
import { t } from "../../../shared/l10n";
import type { PanelHandlers } from "../host/dispatch";
import type { EditorActions } from "./editorActions";

export type ContextHandlers = Pick<
  PanelHandlers,
  "contextView" | "contextTurns" | "sentRequests" | "openRequest" | "openContextRow"
>;

interface ContextHandlerDeps {
  editor: EditorActions;
  /** the session that the panel shows */
  shown(): Promise<Session>;
}

export function contextHandlers({ shown, editor }: ContextHandlerDeps): ContextHandlers {
  const context = async () => (await shown()).context;
  return {
    contextView: async () => (await context()).view(),
    contextTurns: async ({ before }) => ({ rows: await (await context()).turns(before) }),
    sentRequests: async ({ before }) => (await context()).sent(before),
    async openRequest({ number }) {
      await editor.openText(`${t("request {0}", number)}.txt`, await (await context()).requestText(number));
      return {};
    },
    async openContextRow({ key }) {
      const { name, text, file } = await (await context()).rowText(key);
      if (file === undefined) await editor.openText(`${fileName(name)}.txt`, text);
      else await editor.openFile(file, undefined);
      return {};
    },
  };
}

/** Words as the name of a tab. */
const fileName = (words: string) =>
  words
    .replace(/[^\p{L}\p{N}_.@-]+/gu, " ")
    .trim()
    .slice(0, 60) || "context";
