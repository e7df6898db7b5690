import { useState } from "react";
import { usePanel, usePanelState } from "../hooks";
import { IconButton } from "./IconButton";

interface Props {
  undone: boolean;
  /** "the changes of a.ts": follows Undo or Redo */
  what: string;
  /** why it cannot be: said as the button's title, and when it is pressed */
  why?: string;
  undo(): Promise<void>;
  redo(): Promise<void>;
}

/** Undo, or, where that was done, Redo. Comes into sight with the line it stands in. */
export function RevertButton({ undone, what, why, undo, redo }: Props) {
  const panel = usePanel();
  const readOnly = usePanelState(state => state.session.readOnly);
  const [busy, setBusy] = useState(false);
  if (readOnly) return null;
  const act = async () => {
    if (why !== undefined) return panel.say(why);
    if (busy) return;
    setBusy(true);
    await (undone ? redo() : undo());
    setBusy(false);
  };
  const label = `${undone ? "Redo" : "Undo"} ${what}`;
  return (
    <IconButton
      icon={undone ? "redo" : "discard"}
      label={label}
      title={why ?? label}
      className="on-hover"
      // Disabled it would lose the focus, and could not say why.
      aria-disabled={busy || why !== undefined}
      onClick={() => void act()}
    />
  );
}
