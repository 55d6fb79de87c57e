/** An error in AWS's words: a status, a name that SDKs turn into a class, and a message. */
export class AwsFault extends Error {
  readonly status: number;

  constructor(status: number, name: string, message: string) {
    super(message);
    this.status = status;
    this.name = name;
  }
}
