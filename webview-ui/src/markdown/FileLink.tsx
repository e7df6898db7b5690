import type { ReactNode } from "react";
import { usePanel } from "../hooks";

/** Words that open a file of the workspace, at a 1-based line. */
export function FileLink({ path, line, children }: { path: string; line: number | undefined; children: ReactNode }) {
  const panel = usePanel();
  const place = line === undefined ? path : `${path}:${line}`;
  return (
    <button type="button" className="link" title={`Open ${place}`} onClick={() => panel.openFile(path, line)}>
      {children}
    </button>
  );
}
