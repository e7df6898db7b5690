import type { ReactNode, RefObject } from "react";
import { ROVING_ROW, useRoving } from "./roving";

type GutterProps = { label: string; box?: RefObject<HTMLDivElement | null>; children: ReactNode };

/**
 * Actions at a corner of what they are about, which the label names: in sight while one points at it or the focus is in it. One stop
 * of Tab; arrows go on from there.
 */
export function Gutter({ label, box, children }: GutterProps) {
  const keys = useRoving(box);
  return (
    <div className="gutter" role="toolbar" aria-label={label} {...ROVING_ROW} {...keys}>
      {children}
    </div>
  );
}
