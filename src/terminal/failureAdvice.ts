/** What a person in a terminal can do about a failure: the panel has buttons and pages for it. */
import { eitherOf } from "../shared/format";
import { t } from "../shared/l10n";
import { keyVariableNames } from "../shared/modelProviders";

/** @param code of a turn's failure. undefined: its sentence says all */
export function failureAdvice(code: string): string | undefined {
  return Object.hasOwn(advice, code) ? advice[code as keyof typeof advice]() : undefined;
}

const advice = {
  "no-model": () =>
    t('Set STRATA_MODEL_NAME and {0}; "strata models" lists what can be asked.', eitherOf(keyVariableNames)),
  auth: () => t("The key is read from {0}.", eitherOf(keyVariableNames)),
  "unknown-model": () => t('The model is strata.model.name or --model; "strata models" lists what can be asked.'),
  refused: () => t("The address is strata.model.baseUrl or --base-url."),
  timeout: () => t("The time is strata.model.timeoutSeconds."),
  "context-too-long": () => t("The window is strata.model.contextWindow."),
  "no-tools": () => t("The protocol is strata.model.protocol."),
} as const;
