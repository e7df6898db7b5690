import { type ReactNode, useState } from "react";
import { t } from "../../../../src/shared/l10n";
import { Button, Icon, useBusy, WithCode } from "../../controls/controls";
import { visibleText } from "../../text/format";

interface ConsentProps {
  title: string;
  words: readonly string[];
  /** of all that is shown: what the approval is bound to */
  hash: string;
  yes: string;
  approve(): Promise<unknown>;
  /** what would run, exactly */
  children: ReactNode;
}

/** Asks for an approval of what it shows. Another text does not come under the pointer of who has read this one. */
export function Consent({ title, words, hash, yes, approve, children }: ConsentProps) {
  const { busy, run } = useBusy(approve);
  const [read, setRead] = useState(hash);
  if (read !== hash)
    return (
      <p role="alert">
        {t("This changed while it was shown.")} <Button onClick={() => setRead(hash)}>{t("Show the new text")}</Button>
      </p>
    );
  return (
    <section className="tools-consent" aria-label={title}>
      <p>
        <strong>{title}</strong> {words.map(visibleText).join(" ")}
      </p>
      {children}
      <div className="button-row">
        <Button primary disabled={busy} onClick={run}>
          {yes}
        </Button>
      </div>
    </section>
  );
}

export function Warnings({ texts }: { texts: readonly string[] }) {
  return [...new Set(texts)].map(text => (
    <p key={text} className="tools-warning">
      <Icon name="warning" />
      <WithCode text={visibleText(text)} />
    </p>
  ));
}
