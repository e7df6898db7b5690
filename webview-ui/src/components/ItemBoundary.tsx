import { Component, type ReactNode } from "react";
import type { Item } from "../store/state";

interface Props {
  item: Item;
  children: ReactNode;
}

/** An item that cannot be drawn is its text, and the conversation around it stays. It is tried again when it changes. */
export class ItemBoundary extends Component<Props, { failed: Item | null }> {
  override state = { failed: null };

  static getDerivedStateFromProps({ item }: Props, { failed }: { failed: Item | null | undefined }) {
    // undefined: it has just failed
    return { failed: failed === undefined ? item : failed === item ? item : null };
  }

  static getDerivedStateFromError() {
    return { failed: undefined };
  }

  override render(): ReactNode {
    if (this.state.failed === null) return this.props.children;
    const { item } = this.props;
    const text = "text" in item ? item.text : "";
    return (
      <div className="item-failed">
        <p className="quiet">{text === "" ? "This could not be shown." : "This could only be shown as plain text:"}</p>
        {text === "" ? null : <pre className="plain-item">{text}</pre>}
      </div>
    );
  }
}
