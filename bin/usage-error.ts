/** An error for an invalid option or argument. The message names the option or argument, and states what is allowed. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
