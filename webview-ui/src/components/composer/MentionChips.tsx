import { plural, t } from "../../../../src/shared/l10n";
import type { MentionState } from "../../../../src/shared/mentions/panelProtocol";
import { Icon } from "../../controls/controls";
import { type Chip, rangeWords, shortNames } from "../../mentions/chips";
import { mentionIcon } from "../../mentions/mentionSource";
import { usePanel } from "../../panel/hooks";
import { opensInBox } from "./useHeld";

/** Why nothing becomes of a mention. */
const trouble: Partial<Record<MentionState, () => string>> = {
  missing: () => t("not found"),
  outside: () => t("outside the workspace"),
};

interface ChipActs {
  remove(chip: Chip): void;
  /** of a pasted text: it is shown */
  open(chip: Chip): void;
}

/** What the message names, above its text: whether it is there, a click to look at it, one to take it out. */
export function MentionChips({ chips, ...acts }: ChipActs & { chips: readonly Chip[] }) {
  if (chips.length === 0) return null;
  const names = shortNames(chips);
  return (
    <ul className="mention-chips" aria-label={t("Attached to this message")}>
      {chips.map((chip, at) => (
        <ChipView key={chip.raw} chip={chip} name={names[at] ?? chip.path} {...acts} />
      ))}
    </ul>
  );
}

/** A picture, small, or a text that was pasted: a click brings it into the message, or into an editor. */
function HeldBody({ chip: { thing, path }, name, open }: { chip: Chip; name: string; open(): void }) {
  if (thing?.kind === "text") {
    return (
      <button
        type="button"
        className="mention-chip-body"
        title={opensInBox(thing) ? t("Show it in the message") : t("Open it in an editor")}
        onClick={open}
      >
        <Icon name="note" />
        <span className="mention-chip-name">{name}</span>
      </button>
    );
  }
  return (
    <span className="mention-chip-body" title={path}>
      {thing?.kind === "picture" && thing.thumb ? (
        <img className="chip-picture" src={thing.thumb} alt={path} />
      ) : (
        <Icon name="file-media" />
      )}
      <span className="mention-chip-name">{name}</span>
    </span>
  );
}

function ChipView({ chip, name, remove, open }: ChipActs & { chip: Chip; name: string }) {
  const panel = usePanel();
  const { path, state, range } = chip;
  const why = state && trouble[state]?.();
  const kind = state === "folder" || state === "attachment" || state === "resource" ? state : "file";
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
    <li className={why === undefined ? "mention-chip" : "mention-chip lost"}>
      {chip.thing !== undefined ? (
        <HeldBody chip={chip} name={name} open={() => open(chip)} />
      ) : why !== undefined || kind === "attachment" || kind === "resource" ? (
        <span className="mention-chip-body" title={`${path}${why === undefined ? "" : `: ${why}`}`}>
          {content}
        </span>
      ) : (
        <button
          type="button"
          className="mention-chip-body"
          title={kind === "folder" ? t("Show {0} in the explorer", path) : t("Open {0}", `${path}${rangeWords(chip)}`)}
          onClick={() => panel.openFile(path, range?.first)}
        >
          {content}
        </button>
      )}
      <button
        type="button"
        className="mention-chip-remove"
        aria-label={t("Remove {0} from the message", name)}
        title={t("Remove from the message")}
        onClick={() => remove(chip)}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

/** For screen readers: what will not reach the agent. */
export function spokenChips(chips: readonly Chip[]): string {
  const lost = chips.filter(({ state }) => state !== undefined && trouble[state] !== undefined).length;
  return lost === 0 ? "" : plural(lost, "1 mention not found", "{0} mentions not found");
}
