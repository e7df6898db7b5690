/** What the host does about pictures and copied code that go into a message. */

import type { Session } from "../../../core/agent/session/session";
import type { PanelHandlers } from "../host/dispatch";

export interface AttachHandlerDeps {
  /** the session that is shown */
  show(): Promise<Pick<Session, "keepPicture">>;
  /** the mention of lines that an editor has selected; undefined: none has exactly this text */
  copiedFrom(text: string): string | undefined;
}

export type AttachHandlers = Pick<PanelHandlers, "keepPicture" | "copiedFrom">;

export function attachHandlers({ show, copiedFrom }: AttachHandlerDeps): AttachHandlers {
  return {
    async keepPicture({ name, base64 }) {
      return (await show()).keepPicture(name, Buffer.from(base64, "base64"));
    },
    copiedFrom: async ({ text }) => ({ mention: copiedFrom(text) ?? null }),
  };
}
