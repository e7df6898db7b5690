import type { MentionState } from "../../../../src/shared/findProtocol";
import { plural, t } from "../../../../src/shared/l10n";
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

/** A picture is shown, small; a click on a text that was pasted brings it into the message, or into an editor. */
function ChipView({ chip, name, remove, open }: ChipActs & { chip: Chip; name: string }) {
  const panel = usePanel();
  const { path, state, range, thing } = chip;
  const why = state && trouble[state]?.();
  const kind = state === "folder" || state === "attachment" || state === "resource" ? state : "file";
  const heldIcon = thing?.kind === "text" ? "note" : "file-media";
  const icon = why === undefined ? mentionIcon(kind, path) : "warning";
  const content = (
    <>
      {thing?.kind === "picture" && thing.thumb ? (
        <img className="chip-picture" src={thing.thumb} alt={path} />
      ) : (
        <Icon name={thing ? heldIcon : icon} />
      )}
      <span className="mention-chip-name">{`${name}${rangeWords(chip)}`}</span>
      {why === undefined ? null : <span className="mention-chip-why">{why}</span>}
    </>
  );
  const text = thing?.kind === "text" ? thing : undefined;
  const show = text && opensInBox(text) ? t("Show it in the message") : t("Open it in an editor");
  const look = kind === "folder" ? t("Show {0} in the explorer", path) : t("Open {0}", path + rangeWords(chip));
  const looks = !thing && why === undefined && (kind === "folder" || kind === "file");
  const click = text ? () => open(chip) : looks ? () => panel.openFile(path, range?.first) : undefined;
  return (
    <li className={why === undefined ? "mention-chip" : "mention-chip lost"}>
      {click ? (
        <button type="button" className="mention-chip-body" title={text ? show : look} onClick={click}>
          {content}
        </button>
      ) : (
        <span className="mention-chip-body" title={why === undefined ? path : `${path}: ${why}`}>
          {content}
        </span>
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
