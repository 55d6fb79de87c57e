/** How a call of a stranger's address ends. */

/** Why there was no answer, each with a sentence for people: none says which address a name leads to. */
export const failures = {
  INVALID_URL: 'The URL cannot be called.',
  DNS: 'The name of the host leads to no address.',
  FORBIDDEN_ADDRESS: 'The host leads to an address that is not public.',
  CONNECT: 'The host takes no connection.',
  TLS: 'No secure connection: the host needs TLS 1.2 or newer, and a certificate for its name that a public authority has signed.',
  TIMEOUT: 'The host did not answer in time.',
  CLOSED: 'The host closed the connection without an answer.',
  INVALID_ANSWER: 'The host answered with something that is no HTTP, or with too much of it.',
} as const;

export type FailureReason = keyof typeof failures;

export type PostOutcome =
  /** The host has answered, with whatever status: a redirect is one like any other, and is not followed. */
  | { readonly answered: true; readonly status: number }
  | { readonly answered: false; readonly reason: FailureReason; readonly detail: string };

export const failed = (reason: FailureReason, detail: string = failures[reason]): PostOutcome => ({
  answered: false,
  reason,
  detail,
});
