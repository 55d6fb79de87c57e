/** Owners: who manages a template, and whose idempotency keys are those of a request. */

/** Owner of all templates and endpoints that the deployment declares. */
export const PLATFORM = 'platform';

/**
 * Form of an owner. API Gateway passes it to the ingress in a header, so it is printable ASCII, without a space at its
 * beginning or end.
 */
export const OWNER = /^[!-~](?:[ -~]*[!-~])?$/;

/** Completes the sentence "the owner ...". */
export const ownerMust =
  'must be printable ASCII characters without a space at the beginning or the end, such as team-a';
