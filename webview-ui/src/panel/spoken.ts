/** What is said to who hears the panel, in the order in which it came: one region says all of it (components/conversation/Spoken.tsx). */
import { createListeners } from "../bridge/host";

export class Spoken {
  readonly #said = createListeners<string>();
  readonly onSaid = this.#said.on;
  /** "": there is nothing to say */
  say = (words: string) => void (words !== "" && this.#said.tell(words));
}
