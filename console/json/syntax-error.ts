/** The error of a text that is not JSON. */
export class JsonSyntaxError extends Error {
  /** Offset of the wrong character. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}
