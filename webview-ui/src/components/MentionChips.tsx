import { useEffect, useState } from "react";
import type { MentionState } from "../../../src/shared/panelMentions";
import { count } from "../format";
import { usePanel } from "../hooks";
import type { Chip } from "../mentions/chips";
import { rangeWords, shortNames } from "../mentions/mentioned";
import { Icon } from "./Icon";
import { mentionIcon } from "./mentionIcon";

/** More are behind a button. */
const SHOWN = 6;

/** Why nothing becomes of a mention. */
const trouble: Partial<Record<MentionState, string>> = { missing: "not found", outside: "outside the workspace" };

/** What the message names, under its text: whether it is there, a click to look at it, one to take it out. */
export function MentionChips({ chips, remove }: { chips: readonly Chip[]; remove: (chip: Chip) => void }) {
  const [all, setAll] = useState(false);
  const isEmpty = chips.length === 0;
  useEffect(() => {
    if (isEmpty) setAll(false);
  }, [isEmpty]);
  if (isEmpty) return null;
  const names = shortNames(chips);
  const shown = all || chips.length === SHOWN + 1 ? chips : chips.slice(0, SHOWN);
  const hidden = chips.slice(shown.length);
  return (
    <ul className="mention-chips" aria-label="Mentioned in this message">
      {shown.map((chip, index) => (
        <ChipView key={chip.raw} chip={chip} name={names[index] ?? chip.path} remove={() => remove(chip)} />
      ))}
      {chips.length > SHOWN + 1 ? (
        <li>
          <button type="button" className="mention-more" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `+${hidden.length}${troubleIn(hidden)}`}
          </button>
        </li>
      ) : null}
    </ul>
  );
}

function troubleIn(chips: readonly Chip[]): string {
  const lost = lostIn(chips);
  return lost === 0 ? "" : `, ${lost} not found`;
}

const lostIn = (chips: readonly Chip[]) => chips.filter(({ state }) => state && trouble[state]).length;

function ChipView({ chip, name, remove }: { chip: Chip; name: string; remove: () => void }) {
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
    <li className={`mention-chip ${why === undefined ? "" : "lost"}`}>
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
