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
  const own = [...commandOffers(state), ...changeOffers(state), ...problemOffers(state), ...fileOffers(state)];
  const offers = state.isDemo ? demoOffers(state) : [...own, ...generalOffers(state)].slice(0, MAX_OFFERS);
  if (!last) return offers;
  const text = t("Continue: {0}", last.title || t("Untitled"));
  return [...offers, { icon: "history", text, detail: last.when, sessionId: last.id }];
}

function commandOffers({ failed }: WorkState): WorkOffer[] {
  if (!failed) return [];
  const { command } = failed;
  const words = t("Find out why `{0}` failed, and fix it {1}", command, "@terminal");
  return [{ icon: "terminal", text: t("The last command failed. Fix it"), detail: command, words }];
}

/** What leads nowhere there is not offered. */
function demoOffers(state: WorkState): WorkOffer[] {
  const fix = t("Fix the failing test");
  return [{ icon: "beaker", text: fix, words: fix }, ...fileOffers(state)];
}

function changeOffers({ uncommitted = 0 }: WorkState): WorkOffer[] {
  if (uncommitted === 0) return [];
  const text = plural(uncommitted, "Review 1 uncommitted file", "Review {0} uncommitted files");
  return [{ icon: "diff", text, words: t("Review the uncommitted changes {0}", "@changes") }];
}

function problemOffers({ problems }: WorkState): WorkOffer[] {
  if (!problems || problems.errors === 0) return [];
  const { errors, file } = problems;
  const text =
    file === undefined
      ? plural(errors, "Fix 1 error", "Fix {0} errors")
      : plural(errors, "Fix 1 error in {1}", "Fix {0} errors in {1}", file);
  return [{ icon: "error", text, words: t("Fix these errors {0}", "@problems") }];
}

function fileOffers({ open }: WorkState): WorkOffer[] {
  if (!open) return [];
  return [{ icon: "file-code", text: t("Explain {0}", open.name), words: t("Explain {0}", open.mention) }];
}

function generalOffers({ canTest = false }: WorkState): WorkOffer[] {
  const run = t("Run the tests and fix what fails");
  const explain = t("Explain how this project is built and where to start reading");
  const find = t("Find a bug that is worth fixing");
  return [
    ...(canTest ? [{ icon: "beaker", text: run, words: run }] : []),
    { icon: "book", text: explain, words: explain },
    { icon: "bug", text: find, words: find },
  ];
}
