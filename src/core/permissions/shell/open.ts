/** Stands in a command's text for a word that is only known when it runs: nobody can write it, it is no character. */
export const OPEN = "\uffff";
