/** What can be done in a workspace, by its state. Pure. */
import { plural, t } from "../../../shared/l10n";
import type { WorkOffer } from "../../../shared/panelProtocol";

/** What Strata knows of a workspace; absent: unknown. */
export interface WorkState {
  /** the last command of the active terminal, where it failed */
  failed?: { command: string };
  /** files that are not committed */
  uncommitted?: number;
  problems?: {
    errors: number;
    /** that all of them are in, as people see it */
    file?: string;
  };
  /** the file in the editor: its name, and its mention */
  open?: { name: string; mention: string };
  /** the session that a person was in last; `when`: in words */
  last?: { id: string; title: string; when: string };
  /** its tests can be run here */
  canTest?: boolean;
  /** the offline model answers, which knows one task and can tell of a file */
  isDemo?: boolean;
}

/** So many things to do are offered, and beside them to go on with the last session. */
const MAX_OFFERS = 3;

/** The most urgent first; where too little is known of the workspace, what can be done in each. */
export function offersFor(state: WorkState): WorkOffer[] {
  const { last } = state;
  // In the demo, what leads nowhere there is not offered.
  const ofDemo = () => [same("beaker", t("Fix the failing test")), ...fileOffers(state)];
  const offers = state.isDemo ? ofDemo() : ownOffers(state).slice(0, MAX_OFFERS);
  if (!last) return offers;
  const text = t("Continue: {0}", last.title || t("Untitled"));
  return [...offers, { icon: "history", text, detail: last.when, sessionId: last.id }];
}

/** Sent in the words of the offer. */
const same = (icon: string, text: string): WorkOffer => ({ icon, text, words: text });

function fileOffers({ open }: WorkState): WorkOffer[] {
  if (!open) return [];
  return [{ icon: "file-code", text: t("Explain {0}", open.name), words: t("Explain {0}", open.mention) }];
}

function ownOffers({ failed, uncommitted = 0, problems: { errors, file } = { errors: 0 }, ...state }: WorkState) {
  const offers: WorkOffer[] = [];
  if (failed) {
    const words = t("Find out why `{0}` failed, and fix it {1}", failed.command, "@terminal");
    offers.push({ icon: "terminal", text: t("The last command failed. Fix it"), detail: failed.command, words });
  }
  if (uncommitted > 0) {
    const text = plural(uncommitted, "Review 1 uncommitted file", "Review {0} uncommitted files");
    offers.push({ icon: "diff", text, words: t("Review the uncommitted changes {0}", "@changes") });
  }
  if (errors > 0) {
    const all = plural(errors, "Fix 1 error", "Fix {0} errors");
    const text = file === undefined ? all : plural(errors, "Fix 1 error in {1}", "Fix {0} errors in {1}", file);
    offers.push({ icon: "error", text, words: t("Fix these errors {0}", "@problems") });
  }
  offers.push(...fileOffers(state));
  if (state.canTest) offers.push(same("beaker", t("Run the tests and fix what fails")));
  offers.push(same("book", t("Explain how this project is built and where to start reading")));
  offers.push(same("bug", t("Find a bug that is worth fixing")));
  return offers;
}
