import { useCallback, useEffect, useRef, useState } from "react";
import { t } from "../../../../src/shared/l10n";
import type { FoundLine, FoundSection, PanelParams } from "../../../../src/shared/panelProtocol";
import { Button, Icon, LinkButton } from "../../controls/controls";
import { ROVING_ROW, useRoving } from "../../controls/roving";
import { useAnswer } from "../../panel/answers";
import { usePanel, usePanelState } from "../../panel/hooks";
import type { Panel } from "../../panel/panel";
import { visibleText } from "../../text/format";
import { Loading } from "../servers/Loading";
import { ServersView } from "../servers/ServersView";

const askFound = (panel: Panel) => panel.ask("found", {});

/** What there is for the agent here, each with its source, its switch, and what needs approval, in an editor tab. */
export function FoundPage() {
  const panel = usePanel();
  const surroundings = usePanelState(state => state.surroundings);
  const notice = usePanelState(state => state.notice);
  const [changes, setChanges] = useState(0);
  useEffect(() => void panel.open(), [panel]);
  const again = useCallback(() => setChanges(count => count + 1), []);
  useEffect(() => panel.onMcpChanged(again), [panel, again]);
  const known = useAnswer(askFound, { cause: `${changes} ${JSON.stringify(surroundings)}`, onFocus: true });
  return (
    <main className="page found">
      <h1>{t("What I found here")}</h1>
      {known === null ? (
        <Loading again={again} />
      ) : (
        <p className="quiet">{visibleText(known.summary || t("No rules, skills, servers or hooks."))}</p>
      )}
      {notice ? <p role="alert">{notice.text}</p> : null}
      {known === null ? null : <ServersView />}
      {known?.sections.map(section => (
        <Section key={section.kind} section={section} />
      ))}
    </main>
  );
}

function Section({ section: { kind, title, lines } }: { section: FoundSection }) {
  const list = useRef<HTMLUListElement>(null);
  const keys = useRoving(list);
  return (
    <section aria-labelledby={`found-${kind}`}>
      <h2 id={`found-${kind}`}>{title}</h2>
      <ul ref={list} aria-labelledby={`found-${kind}`} {...keys}>
        {keyed(lines).map(([key, line]) => (
          <Line key={key} line={line} />
        ))}
      </ul>
    </section>
  );
}

/** Several may say the same. */
function keyed(lines: readonly FoundLine[]): [string, FoundLine][] {
  const times = new Map<string, number>();
  return lines.map(line => {
    const name = `${line.label} ${line.from}`;
    const nth = (times.get(name) ?? 0) + 1;
    times.set(name, nth);
    return [`${name} ${nth}`, line];
  });
}

function Line({ line: { label, from, detail, warnings = [], waits, path, place } }: { line: FoundLine }) {
  const panel = usePanel();
  const name = visibleText(label);
  return (
    <li className="found-row" {...ROVING_ROW}>
      <div className="found-words">
        {path === undefined ? (
          <span className="found-name">{name}</span>
        ) : (
          <LinkButton onClick={() => panel.openFile(path)}>{name}</LinkButton>
        )}
        {from && from !== label ? <span className="quiet">{visibleText(from)}</span> : null}
        {detail ? <span className="found-detail">{visibleText(detail)}</span> : null}
        {[...new Set(warnings)].map(warning => (
          <span key={warning} className="found-warning">
            <Icon name="warning" />
            {visibleText(warning)}
          </span>
        ))}
      </div>
      <div className="found-acts">{place ? <PlaceButton {...{ name, place, waits }} /> : null}</div>
    </li>
  );
}

type ButtonPlace = NonNullable<FoundLine["place"]> & PanelParams<"action">["action"];

interface PlaceButtonProps extends Pick<FoundLine, "waits"> {
  name: string;
  place: ButtonPlace;
}

/** Leads to where something is approved or written. */
function PlaceButton({ name, place, waits }: PlaceButtonProps) {
  const panel = usePanel();
  const others = place === "new-rules" ? t("Create") : t("Show");
  const words = waits ? t("Review") : others;
  return (
    <Button primary={waits ?? false} aria-label={`${words}: ${name}`} onClick={() => panel.act(place)}>
      {words}
    </Button>
  );
}
