/** What the host does for the panel's frame. */
import type { PanelHandlers } from "./host/dispatch";
import type { PanelAt } from "./host/panelHost";
import type { Sessions } from "./sessions/sessions";

export interface FrameDeps {
  sessions: Pick<Sessions, "show" | "activate">;
  /** A page of the panel got the focus, or lost it. */
  pageFocus(focused: boolean): void;
}

export type FrameHandlers = Pick<PanelHandlers, "orderPending" | "pageFocus">;

export const frameHandlers = ({ sessions, pageFocus }: FrameDeps, { place }: PanelAt): FrameHandlers => ({
  async orderPending({ pendingIds }) {
    await (await sessions.show(place())).messages.order(pendingIds);
    return {};
  },
  async pageFocus({ focused }) {
    if (focused) sessions.activate(place());
    pageFocus(focused);
    return {};
  },
});
