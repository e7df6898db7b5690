import { useEffect, useState } from "react";
import { usePanel } from "../hooks";
import { messageOf } from "../panel";
import { IconButton } from "./IconButton";

export function CopyButton({ text, label }: { text: string; label: string }) {
  const panel = usePanel();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch (error) {
      panel.say(`The clipboard refused the text: ${messageOf(error)}`);
    }
  };
  return (
    <IconButton
      icon={copied ? "check" : "copy"}
      label={copied ? "Copied" : label}
      className="copy"
      onClick={() => void copy()}
    />
  );
}
