import type { ContextPieces, RequestLine } from "../../../../src/shared/contextProtocol";
import { plural, t } from "../../../../src/shared/l10n";
import { IconButton } from "../../controls/controls";
import { type GridRow, RowGrid, useOpenRows } from "../../controls/RowGrid";
import type { ContextFeed } from "../../panel/contextFeed";
import { usePanel } from "../../panel/hooks";
import type { Panel } from "../../panel/panel";
import {
  changeNumber,
  exactTokens,
  pieceWords,
  requestFacts,
  requestNote,
  requestTitle,
} from "../../text/contextWords";
import { formatClockTime, formatTokens, visibleText } from "../../text/format";

/** The requests that were sent, newest first; each opens to what differs from the one before. */
export function SentRequests({ feed }: { feed: ContextFeed }) {
  const { requests, hasOlder, unreadable, loadRequests } = feed;
  const panel = usePanel();
  const [open, toggle] = useOpenRows<number>();
  const rows = requests.flatMap(request => requestRows(request, open.has(request.number), { panel, toggle }));
  const more: GridRow = { key: "older", level: 1, name: t("Earlier requests"), activate: loadRequests };
  return (
    <section className="context-requests" aria-label={t("Requests")}>
      <h3 className="context-title">{t("Requests")}</h3>
      {requests.length === 0 ? (
        <p className="quiet">{t("Nothing was sent yet. Each request will appear here, exactly as it was sent.")}</p>
      ) : null}
      {requests.length > 0 ? (
        <RowGrid label={t("Requests that were sent, newest first")} rows={hasOlder ? [...rows, more] : rows} />
      ) : null}
      {unreadable > 0 ? (
        <p className="quiet">
          {plural(unreadable, "1 request cannot be read from the log.", "{0} requests cannot be read from the log.")}
        </p>
      ) : null}
    </section>
  );
}

type RequestActs = { panel: Panel; toggle(number: number): void };

function requestRows(request: RequestLine, isOpen: boolean, { panel, toggle }: RequestActs): GridRow[] {
  const { number, ts, model, usage } = request;
  const tokens = usage?.input ?? request.tokens;
  const exact = `${exactTokens(tokens)} · ${visibleText(model)} · ${formatClockTime(ts, Date.now())}`;
  const label = t("Request {0} as sent", number);
  const show = () => void panel.ask("openRequest", { number });
  const head: GridRow = {
    ...{ key: String(number), level: 1, name: requestTitle(request), note: requestNote(request), open: isOpen },
    ...{ number: formatTokens(tokens), exact, activate: () => toggle(number) },
    actions: <IconButton icon="go-to-file" label={label} tabIndex={-1} onClick={show} />,
  };
  if (!isOpen) return [head];
  const facts = requestFacts(request).map((name, at): GridRow => ({ key: `${number} fact ${at}`, level: 2, name }));
  return [
    head,
    ...facts,
    ...pieceRows(request, "added", t("new")),
    ...pieceRows(request, "changed", t("changed")),
    ...pieceRows(request, "removed", t("gone")),
  ];
}

function pieceRows(request: RequestLine, way: "added" | "removed" | "changed", note: string): GridRow[] {
  const { count, first }: ContextPieces = request[way];
  const key = `${request.number} ${way}`;
  const rows = first.map((piece, at): GridRow => {
    const numbers = { number: changeNumber(piece, way), exact: exactTokens(piece.tokens) };
    return { key: `${key} ${at}`, level: 2, name: pieceWords(piece), note, ...numbers };
  });
  const left = count - first.length;
  if (left > 0) rows.push({ key: `${key} more`, level: 2, name: plural(left, "and 1 more", "and {0} more"), note });
  return rows;
}
