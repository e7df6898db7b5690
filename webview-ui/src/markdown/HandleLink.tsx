import type { ReactNode } from "react";
import { usePanel } from "../hooks";

/** Words that open a recorded output of the session, whole. */
export function HandleLink({ handle, children }: { handle: string; children: ReactNode }) {
  const panel = usePanel();
  return (
    <button type="button" className="link" title={`Open ${handle}`} onClick={() => panel.openHandle(handle)}>
      {children}
    </button>
  );
}
