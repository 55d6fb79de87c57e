/** What the codes of ended jobs and of failed webhooks mean, and what helps: docs/errors.md and docs/webhooks.md. */

/** What helps, by the code of a job that ended without success. */
export const endHelp: Readonly<Record<string, string>> = {
  WORKER_ERROR: 'The handler failed. Correct the handler or the input, then retry.',
  WORKER_LOST:
    "Three workers in a row were lost with the job. Read the worker's logs for what ends its process, then retry.",
  OUTPUT_TOO_LARGE: 'The output is larger than 20 MB. Store large results elsewhere and return their address.',
  CANCELLED: 'A client cancelled the job. Run it again if it is wanted after all.',
  PURGED: 'The job was removed with the queue while it waited. Run it again if it is wanted after all.',
  QUEUE_TTL_EXPIRED: 'No worker took the job in time. Raise maxWorkers or ttl, then retry.',
  EXECUTION_TIMEOUT:
    'The job ran for longer than its executionTimeout. Run it again with a higher limit; a retry has the same limit.',
};

/** What helps, by the reason of a webhook call that got no HTTP status. */
export const webhookHelp: Readonly<Record<string, string>> = {
  INVALID_URL: 'The URL cannot be called. Submit the job with a public http or https address.',
  DNS: 'The name of the host has no address. Publish it in the public DNS.',
  FORBIDDEN_ADDRESS: 'The host has an address that is not public. Give the receiver public addresses only.',
  CONNECT: 'The host takes no connection. Open the port to the Internet.',
  TLS: 'The connection could not be secured. Check the certificate and its chain, and allow TLS 1.2.',
  TIMEOUT: 'The host did not answer in time. Answer with 200 first, and work afterwards.',
  CLOSED: "The host closed the connection without an answer. Read the receiver's log.",
  INVALID_ANSWER: 'The answer was not HTTP, or its head was too large. Check what stands before the receiver.',
};

/** @param lastError a reason, or a reason, a colon and a sentence */
export const helpForWebhook = (lastError: string | undefined): string | undefined =>
  webhookHelp[lastError?.split(':')[0] ?? ''];
