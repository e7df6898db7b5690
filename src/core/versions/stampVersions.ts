/** Which snapshot has the text of a version, for when the process that read it is gone. Pure. */
import type { Stamp, Version } from "../../shared/toolResult";

/** @param snapshot of its text; null, undefined: none was kept */
export function withSnapshot(stamp: Stamp, snapshot: string | null | undefined): Stamp {
  return typeof snapshot === "string" && snapshot !== stamp.sha256 ? { ...stamp, snapshot } : stamp;
}

export const toVersion = ({ sha256, snapshot }: Version): Version => ({
  sha256,
  ...(snapshot !== undefined && { snapshot }),
});
