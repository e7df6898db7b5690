/** Which name was meant: as core has always called it; the panel looks for commands in the same way. */
export { editDistance, fieldLetters, isTrueField, nearestNames, slippedField } from "../../shared/nearestNames";
