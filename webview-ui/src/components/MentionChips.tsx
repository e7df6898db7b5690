import { useEffect, useRef, useState } from "react";
import type { MentionState } from "../../../src/shared/panelMentions";
import { Icon } from "../controls/controls";
import type { Chip } from "../mentions/chips";
import { rangeWords, shortNames } from "../mentions/mentioned";
import { usePanel } from "../panel/hooks";
import { count } from "../text/format";
import { mentionIcon } from "./mentionIcon";
import { useFittingChips } from "./useFittingChips";

/** Why nothing becomes of a mention. */
const trouble: Partial<Record<MentionState, string>> = { missing: "not found", outside: "outside the workspace" };

/** What the message names, under its text: whether it is there, a click to look at it, one to take it out. */
export function MentionChips({ chips, remove }: { chips: readonly Chip[]; remove: (chip: Chip) => void }) {
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const { inPage, shown, hidden } = useFittingChips(list, chips, { isLost, moreWords });
  const isEmpty = chips.length === 0;
  useEffect(() => {
    if (isEmpty) setAll(false);
  }, [isEmpty]);
  if (isEmpty) return null;
  const names = new Map(shortNames(chips).map((name, index) => [chips[index], name]));
  return (
    <ul ref={list} className={all ? "mention-chips all" : "mention-chips"} aria-label="Mentioned in this message">
      {(all ? chips : inPage).map((chip, index) => (
        <ChipView
          key={chip.raw}
          chip={chip}
          name={names.get(chip) ?? chip.path}
          unseen={!all && index >= shown}
          remove={() => remove(chip)}
        />
      ))}
      {hidden.length > 0 ? (
        <li>
          <button type="button" className="mention-more" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : moreWords(hidden)}
          </button>
        </li>
      ) : null}
      <li className="mention-more unseen" data-more aria-hidden>
        +{chips.length} more
      </li>
    </ul>
  );
}

function moreWords(chips: readonly Chip[]): string {
  const lost = lostIn(chips);
  return `+${chips.length} more${lost === 0 ? "" : `, ${lost} not found`}`;
}

const isLost = ({ state }: Chip) => state !== undefined && trouble[state] !== undefined;
const lostIn = (chips: readonly Chip[]) => chips.filter(isLost).length;

interface ChipProps {
  chip: Chip;
  name: string;
  /** there is no room for it: it is there to be measured */
  unseen: boolean;
  remove: () => void;
}

function ChipView({ chip, name, unseen, remove }: ChipProps) {
  const panel = usePanel();
  const { path, state, range } = chip;
  const why = state && trouble[state];
  const kind = state === "folder" || state === "attachment" ? state : "file";
  const content = (
    <>
      <Icon name={why === undefined ? mentionIcon(kind, path) : "warning"} />
      <span className="mention-chip-name">
        {name}
        {rangeWords(chip)}
      </span>
      {why === undefined ? null : <span className="mention-chip-why">{why}</span>}
    </>
  );
  return (
    <li className={`mention-chip ${why === undefined ? "" : "lost"} ${unseen ? "unseen" : ""}`} data-raw={chip.raw}>
      {why !== undefined || kind === "attachment" ? (
        <span className="mention-chip-body" title={`${path}${why === undefined ? "" : `: ${why}`}`}>
          {content}
        </span>
      ) : (
        <button
          type="button"
          className="mention-chip-body"
          title={kind === "folder" ? `Show ${path} in the explorer` : `Open ${path}${rangeWords(chip)}`}
          onClick={() => panel.openFile(path, range?.first)}
        >
          {content}
        </button>
      )}
      <button
        type="button"
        className="mention-chip-remove"
        aria-label={`Remove ${name} from the message`}
        title="Remove from the message"
        onClick={remove}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

/** For screen readers: what will not reach the agent. */
export function spokenChips(chips: readonly Chip[]): string {
  const lost = lostIn(chips);
  return lost === 0 ? "" : `${count(lost, "mention")} not found`;
}
