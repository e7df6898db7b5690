import { Button } from "../controls/controls";
import { exactLine } from "../text/format";

interface Props {
  rules: readonly string[][];
  /** how often the same was allowed in this conversation */
  allowed: number;
  choose(rules: string[]): void;
}

/** "Always": the rules that would be written, to choose one from; the narrowest first. */
export function AlwaysRules({ rules, allowed, choose }: Props) {
  return (
    <div className="always-rules">
      <p className="quiet">
        {allowed >= 2 ? `You allowed this ${allowed} times. ` : ""}Writes a rule into your settings
        (strata.permissions.allow). From then on it runs without asking:
      </p>
      {rules.map(option => (
        <Button key={option.join("\n")} onClick={event => void (event.detail > 1 || choose([...option]))}>
          Always allow <span className="exact">{option.map(exactLine).join(", ")}</span>
        </Button>
      ))}
    </div>
  );
}
