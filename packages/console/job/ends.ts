/**
 * Explains what helps after each code of an ended job and each reason of a failed webhook. docs/reference/errors.md and
 * docs/guides/webhooks.md have the details.
 */

/** Advice by the code of a job that ended without success. */
export const endHelp: Readonly<Record<string, string>> = {
  WORKER_ERROR: 'The handler failed. Correct the handler or the input, then retry.',
  WORKER_LOST:
    "Three workers in a row were lost with the job. Read the worker's logs to find why its process stops, then retry.",
  RESULT_NOT_REPORTED:
    'The handler returned, but its worker reported no result, usually because the output is not JSON. The log has the error.',
  OUTPUT_TOO_LARGE: 'The output is larger than 20 MB. Store large results elsewhere and return their address.',
  CANCELLED: 'A client cancelled the job. Run it again if you still need it.',
  PURGED: 'The queue was purged while the job waited. Run the job again if you still need it.',
  QUEUE_TTL_EXPIRED: 'No worker took the job in time. Raise maxWorkers or ttl, then retry.',
  EXECUTION_TIMEOUT:
    'The job ran for longer than its executionTimeout. Run it again with a higher limit; a retry has the same limit.',
};

/** Advice by the reason of a webhook call that received no HTTP status. */
export const webhookHelp: Readonly<Record<string, string>> = {
  INVALID_URL: 'The URL cannot be called. Submit the job with a public http or https address.',
  DNS: 'The host name has no IP address. Publish it in the public DNS.',
  FORBIDDEN_ADDRESS: 'The host has an IP address that is not public. Give the receiver public addresses only.',
  CONNECT: 'The host does not accept connections. Open its port to the Internet.',
  TLS: 'The connection could not be secured. Check the certificate and its chain, and allow TLS 1.2.',
  TIMEOUT: 'The host did not respond in time. Respond with 200 before you process the webhook.',
  CLOSED: "The host closed the connection without a response. Read the receiver's log.",
  INVALID_ANSWER: 'The response was not HTTP, or its headers were too large. Check proxies before the receiver.',
};

/** @param lastError a reason, or a reason with a colon and a sentence */
export const helpForWebhook = (lastError: string | undefined): string | undefined =>
  webhookHelp[lastError?.split(':')[0] ?? ''];
