import { useEffect, useRef } from "react";
import { Button } from "../controls/controls";
import { exactLine } from "../text/format";

interface AlwaysRulesProps {
  rules: readonly string[][];
  /** how often the same was allowed in this conversation */
  allowed: number;
  /** somebody asked for them: they are scrolled into sight */
  inSight: boolean;
  choose(rules: string[]): void;
}

/** "Always": the rules that would be written, to choose one from; the narrowest first. */
export function AlwaysRules({ rules, allowed, inSight, choose }: AlwaysRulesProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!inSight) return;
    // What it opened is followed or not (useFollowing.ts) within a frame: this comes after it.
    const frame = requestAnimationFrame(() => setTimeout(() => box.current?.scrollIntoView({ block: "nearest" })));
    return () => cancelAnimationFrame(frame);
  }, [inSight]);
  return (
    <div ref={box} className="always-rules">
      <p className="quiet">{allowed >= 2 ? `You allowed this ${allowed} times. ` : ""}Never ask again for:</p>
      {rules.map(option => (
        <Button key={option.join("\n")} onClick={event => void (event.detail > 1 || choose([...option]))}>
          Always allow <span className="exact">{option.map(exactLine).join(", ")}</span>
        </Button>
      ))}
    </div>
  );
}
