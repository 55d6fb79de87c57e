/** A reason why the local service cannot start or run. The message is a sentence for the user. */
export class LocalError extends Error {
  override readonly name = 'LocalError';
}
