import { useLayoutEffect, useRef } from "react";
import type { CommandKey } from "../../../src/shared/helpProtocol";
import { t } from "../../../src/shared/l10n";
import { ownCommands } from "../../../src/shared/slashCommand";
import { IconButton, LinkButton } from "../controls/controls";
import { useAnswer } from "../panel/answers";
import { usePanel } from "../panel/hooks";
import type { Panel } from "../panel/panel";
import { type HelpPlace, keyNames, keyPlaceNames, keysHere, ownKeys } from "../text/keyRows";

const askKeys = (panel: Panel) => panel.ask("commandKeys", {});

/** Commands and keys, in the conversation's place. */
export function HelpView({ close }: { close: () => void }) {
  const panel = usePanel();
  const box = useRef<HTMLElement>(null);
  // It is to be read: the keys that scroll are at hand.
  useLayoutEffect(() => box.current?.focus({ preventScroll: true }), []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
    <section ref={box} className="context-view help scroller" aria-label={t("Help")} tabIndex={0}>
      <div className="context-column">
        <div className="context-head">
          <h2 className="context-title">{t("Help")}</h2>
          <IconButton icon="close" label={t("Close help")} onClick={close} />
        </div>
        <p className="help-links">
          <LinkButton onClick={() => panel.act("get-started")}>{t("Get started")}</LinkButton>
          <LinkButton onClick={() => panel.act("help")}>{t("When something goes wrong")}</LinkButton>
        </p>
        <Commands />
        <AllKeys />
      </div>
    </section>
  );
}

function Commands() {
  const panel = usePanel();
  return (
    <section aria-labelledby="help-commands">
      <h3 id="help-commands">{t("Commands")}</h3>
      <dl>
        {Object.entries(ownCommands).map(([name, { after, meaning }]) => (
          <div key={name}>
            <dt>
              <code>/{name}</code>
              {after === "" ? null : <span className="quiet">‹{after}›</span>}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="help-links">
        <LinkButton onClick={() => panel.act("show-found")}>{t("Your own skills and prompts")}</LinkButton>
      </p>
    </section>
  );
}

interface ShownKey {
  keys: readonly string[];
  does: string;
}

function AllKeys() {
  const panel = usePanel();
  const known = useAnswer(askKeys, { cause: "" });
  const isMac = navigator.platform.startsWith("Mac");
  const own = ownKeys();
  const rowsAt = (place: HelpPlace): ShownKey[] => [
    ...(own[place] ?? []).map(row => ({ keys: keysHere(row, isMac), does: row.does })),
    ...(known?.keys ?? []).filter(key => key.place === place).map(key => shownKey(key, isMac)),
  ];
  const places = (Object.keys(keyPlaceNames) as HelpPlace[]).filter(place => rowsAt(place).length > 0);
  return (
    <>
      {places.map(place => (
        <section key={place} aria-labelledby={`help-${place}`}>
          <h3 id={`help-${place}`}>{keyPlaceNames[place]()}</h3>
          <dl>
            {rowsAt(place).map(({ keys, does }) => (
              <div key={`${does} ${keys.join(" ")}`}>
                <dt>
                  {keys.map(key => (
                    <Chord key={key} presses={keyNames(key, isMac)} />
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className="help-links">
        <LinkButton onClick={() => panel.act("show-keys")}>{t("Change keys of commands")}</LinkButton>
      </p>
    </>
  );
}

const shownKey = ({ key, mac, title }: CommandKey, isMac: boolean): ShownKey => ({
  keys: [isMac ? (mac ?? key) : key],
  does: title,
});

function Chord({ presses }: { presses: readonly string[] }) {
  return (
    <span className="chord">
      {presses.map(press => (
        <kbd key={press}>{press}</kbd>
      ))}
    </span>
  );
}
