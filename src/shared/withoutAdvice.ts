/**
 * A failure's sentence without what a person can do about it, which stands behind its last semicolon: for where Strata tries again
 * by itself. A semicolon before words of the server begins no advice.
 */
export const withoutAdvice = (message: string): string => message.replace(/; [^";]*\.$/, ".");
