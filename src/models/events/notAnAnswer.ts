/** The server answered 200 with something that is no answer of a model. */
export class NotAnAnswerError extends Error {
  constructor(
    /** media type, lower case */
    readonly contentType: string,
    /** at most 64 KB */
    readonly body: string,
  ) {
    super(`expected a stream of events, got ${contentType}`);
    this.name = "NotAnAnswerError";
  }
}
