import { useEffect } from "react";
import { usePanel } from "../panel/hooks";

/** All that can be set, in an editor tab. */
export function SettingsPage() {
  const panel = usePanel();
  useEffect(() => void panel.open(), [panel]);
  return <main className="page" />;
}
