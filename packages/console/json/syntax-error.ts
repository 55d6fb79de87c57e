/** The error of a text that is not JSON. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  /** Offset of the wrong character. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}
