/** A call that did not come whole, since the answer had reached the most tokens it may have. */

/** The problem in its record. */
export const CUT_CALL = "it was cut off: the answer had reached the most tokens it may have.";

/** The same, where the server does not say why the answer ended. */
export const OPEN_JSON = "; it ends in the middle: if it was too long for one answer, do the same in parts";

/** Whether it is such a call, as far as its record says. */
export const isCutCall = ({ errorText }: { errorText?: string | undefined }): boolean =>
  errorText !== undefined && (errorText === CUT_CALL || errorText.includes(OPEN_JSON));

/** For the model. */
export const cutCallWords = (toolName: string): string =>
  `The call of ${toolName} was cut off: your answer had reached the most tokens that one answer may have. Nothing of it was done. Do the same in parts, each in an answer of its own: write the beginning of a long file with Write and add the next parts with Edit, and say little before the call.`;

/** Whether a text begins as JSON and ends as none does. */
export const isCutJson = (text: string): boolean => /^\s*[{[]/.test(text) && !/[}\]]$/.test(text.trimEnd());
