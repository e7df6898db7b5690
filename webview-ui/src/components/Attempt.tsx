import { Markdown } from "../markdown/Markdown";
import type { AttemptItem } from "../store/items";
import { Icon } from "./Icon";

/** An answer that was cut off: shown, marked, not sent on. */
export function Attempt({ item }: { item: AttemptItem }) {
  return (
    <div className="attempt">
      {item.text === "" ? null : (
        <div className="attempt-text">
          <Markdown text={item.text} />
        </div>
      )}
      <p className="quiet">
        <Icon name="debug-disconnect" /> This answer was cut off{item.reason === "" ? "" : `: ${item.reason}`}
      </p>
    </div>
  );
}
