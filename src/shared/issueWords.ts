/** What is wrong with a value, in the words of a person: a part of a sentence, in place of zod's own English. */
import type * as z from "zod";
import { namesText } from "./format";
import { plural, t } from "./l10n";

/** For `safeParse`: a schema's own words take precedence. */
export const issueWords: z.core.$ZodErrorMap = issue => {
  if (issue.code === "invalid_type") return typeWords(issue.expected);
  if (issue.code === "invalid_value") return t("it must be one of these: {0}", namesText(issue.values.map(String)));
  if (issue.code === "too_small") return smallWords(issue.origin, Number(issue.minimum));
  if (issue.code === "too_big") return bigWords(issue.origin, Number(issue.maximum));
  return t("it is not valid");
};

function typeWords(expected: string): string {
  if (expected === "number") return t("it must be a number");
  if (expected === "int") return t("it must be a whole number");
  if (expected === "boolean") return t("it must be true or false");
  if (expected === "string") return t("it must be text");
  if (expected === "object" || expected === "record") return t("it is not an object");
  return expected === "array" ? t("it must be a list") : t("it is not valid");
}

function smallWords(origin: string, minimum: number): string {
  if (origin === "string") return t("an empty text is not allowed");
  if (origin === "array") return t("an empty list is not allowed");
  return t("it must be {0} or more", minimum);
}

function bigWords(origin: string, maximum: number): string {
  if (origin === "string")
    return plural(maximum, "it must have 1 character at most", "it must have {0} characters at most");
  if (origin === "array") return plural(maximum, "it must have 1 entry at most", "it must have {0} entries at most");
  return t("it must be {0} or less", maximum);
}
