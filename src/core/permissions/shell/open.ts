/** Stands in a command's text for a word that is only known when it runs: nobody can write it, it is no character. */
export const OPEN = "\uffff";
/** The first letter of a file's name that a pattern stands for: an option would begin with a dash. */
export const NAME = "\ufffe";
