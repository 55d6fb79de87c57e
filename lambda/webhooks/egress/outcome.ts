/** The failures of a call to a receiver. */
import type { PostOutcome } from '../../../core/webhooks/store.ts';

/** Reasons why a call got no response, each with a message for users. No message contains an address of a host. */
export const failures = {
  INVALID_URL: 'The URL cannot be called.',
  DNS: 'The name of the host does not resolve to an address.',
  FORBIDDEN_ADDRESS: 'The host resolves to an address that is not public.',
  CONNECT: 'The host does not accept connections.',
  TLS: 'No secure connection: the host needs TLS 1.2 or newer, and a certificate for its name from a public authority.',
  TIMEOUT: 'The host did not answer in time.',
  CLOSED: 'The host closed the connection without an answer.',
  INVALID_ANSWER: 'The host sent an answer that is not valid HTTP, or its head is too large.',
} as const;

export type FailureReason = keyof typeof failures;

export const failed = (reason: FailureReason, detail: string = failures[reason]): PostOutcome => ({
  answered: false,
  reason,
  detail,
});
