/**
 * What can go wrong for a caller: one class per failure, each with its HTTP status and a stable `code`.
 * `core/http/respond.ts` is the one place that turns them into responses.
 */
import { QUEUE_FULL_RETRY, SECOND } from './limits.ts';

export abstract class RequestError extends Error {
  abstract readonly status: number;
  abstract readonly code: string;
  /** After how many seconds it makes sense to ask again, for the `Retry-After` header. */
  readonly retryAfter?: number;
  /** The job that it is about, whose record is the answer. */
  readonly record?: JobRecord;
}

/** A job record, as far as errors go by it. */
interface JobRecord {
  readonly id: string;
  readonly error: string;
}

/** The request is malformed: the message names the field, its value and what is allowed. */
export class InvalidRequest extends RequestError {
  readonly status = 400;
  readonly code = 'INVALID_REQUEST';
}

/** No key, a wrong or expired key, or a key without the permission: always 401 in this contract. */
export class Unauthorized extends RequestError {
  readonly status = 401;
  readonly code = 'UNAUTHORIZED';
}

/** The access token of a user was valid and is no longer: the page renews it. */
export class TokenExpired extends RequestError {
  readonly status = 401;
  readonly code = 'TOKEN_EXPIRED';

  constructor() {
    super('The access token has expired: renew it, or sign in again.');
  }
}

/** The user is signed in and lacks the group for the operation. 401, as for every permission that a key lacks. */
export class NotPermitted extends RequestError {
  readonly status = 401;
  readonly code = 'NOT_PERMITTED';

  /** @param sentence names the groups that would do */
  constructor(sentence: string) {
    super(`${sentence} An administrator of the user pool adds users to groups.`);
  }
}

/** The key lacks the scope for naming secrets and registry logins. 401, as for every permission that a key lacks. */
export class SecretsNotPermitted extends RequestError {
  readonly status = 401;
  readonly code = 'SECRETS_NOT_PERMITTED';

  /** @param names what the request names for the first time, as it is shown to the caller */
  constructor(names: string) {
    super(`The API key does not have the scope templates:secrets, which it needs to name ${names} in a template.`);
  }
}

/** Ids come from paths, which may have some 10 KB; no answer gives them all back. */
const SHOWN_CHARACTERS = 80;
const shownId = (id: string) => (id.length > SHOWN_CHARACTERS ? `${id.slice(0, SHOWN_CHARACTERS)}…` : id);

/** The interface has no such path, or not with this method. */
export class RouteNotFound extends RequestError {
  readonly status = 404;
  readonly code = 'ROUTE_NOT_FOUND';

  constructor(method: string) {
    super(`The interface has no operation \`${method}\` at this path.`);
  }
}

/** The endpoint was never deployed here, or was removed. */
export class EndpointNotFound extends RequestError {
  readonly status = 404;
  readonly code = 'ENDPOINT_NOT_FOUND';

  constructor(endpoint: string) {
    super(`There is no endpoint \`${shownId(endpoint)}\` in this deployment.`);
  }
}

/** The endpoint has no job of that id, or its result has been removed. */
export class JobNotFound extends RequestError {
  readonly status = 404;
  readonly code = 'JOB_NOT_FOUND';

  /** @param endpoint the one that was searched; undefined if all of the caller's were */
  constructor(endpoint: string | undefined, id: string) {
    const searched =
      endpoint === undefined ? 'No endpoint that this caller may call' : `Endpoint \`${shownId(endpoint)}\``;
    super(`${searched} has ${endpoint === undefined ? 'the' : 'no'} job \`${shownId(id)}\`.`);
  }
}

/** What was asked for names no key, or the beginnings of several. */
export class KeyNotFound extends RequestError {
  readonly status = 404;
  readonly code = 'KEY_NOT_FOUND';
}

/** The job ended and its result was kept as long as promised. */
export class JobExpired extends RequestError {
  readonly status = 404;
  readonly code = 'JOB_EXPIRED';

  constructor(id: string, expiredAt: number) {
    super(`The result of job \`${id}\` expired at ${new Date(expiredAt).toISOString()}.`);
  }
}

/** Only a job that has failed or timed out can be run again. */
export class JobNotRetryable extends RequestError {
  readonly status = 400;
  readonly code = 'JOB_NOT_RETRYABLE';

  constructor(id: string, status: string) {
    super(`Job \`${id}\` is ${status}: only a job that is FAILED or TIMED_OUT can be retried.`);
  }
}

/** Nobody is to be told of the job, or not yet: it came without a webhook, has not ended so often, or was purged. */
export class WebhookNotFound extends RequestError {
  readonly status = 404;
  readonly code = 'WEBHOOK_NOT_FOUND';

  constructor(id: string) {
    super(`Job \`${shownId(id)}\` has no such delivery of a webhook.`);
  }
}

/** Only a delivery that has failed for good can be made again. */
export class WebhookNotFailed extends RequestError {
  readonly status = 400;
  readonly code = 'WEBHOOK_NOT_FAILED';

  constructor(id: string, state: string) {
    super(`The webhook of job \`${id}\` is ${state}: only one that is FAILED can be sent again.`);
  }
}

/** The body or one of its fields has more bytes than the operation takes. */
export class PayloadTooLarge extends RequestError {
  readonly status = 413;
  readonly code = 'PAYLOAD_TOO_LARGE';
}

/** The body came too slowly. Nothing was stored. */
export class RequestTimeout extends RequestError {
  readonly status = 408;
  readonly code = 'REQUEST_TIMEOUT';
}

/** The idempotency key stands for a request with another body. */
export class IdempotencyConflict extends RequestError {
  readonly status = 409;
  readonly code = 'IDEMPOTENCY_CONFLICT';

  constructor() {
    super('This `Idempotency-Key` was used in the last 24 hours with another body: take another key for another job.');
  }
}

/** The job was accepted, and none of its workers lived to report its end. */
export class WorkerLost extends RequestError {
  readonly status = 500;
  readonly code = 'WORKER_LOST';
  override readonly record: JobRecord;

  constructor(record: JobRecord) {
    super(record.error);
    this.record = record;
  }
}

/** So many jobs wait that another one would only wait with them. Nothing was stored. */
export class QueueFull extends RequestError {
  readonly status = 429;
  readonly code = 'QUEUE_FULL';
  override readonly retryAfter = QUEUE_FULL_RETRY / SECOND;

  constructor(endpoint: string, { waiting, most }: { readonly waiting: number; readonly most: number }) {
    super(`${waiting} jobs wait at endpoint \`${endpoint}\`; it takes no more while more than ${most} wait.`);
  }
}

/** More requests than the rate limit of the operation allows. */
export class TooManyRequests extends RequestError {
  readonly status = 429;
  readonly code = 'TOO_MANY_REQUESTS';
  override readonly retryAfter: number;

  /** @param retryAfter seconds */
  constructor(message: string, retryAfter: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** More lines of logs are read in this account than AWS admits at once. */
export class LogsBusy extends TooManyRequests {
  constructor() {
    super('The logs are read too often at present. Ask again after the seconds in `Retry-After`.', 1);
  }
}

/** There is no template of that id, or none that the key's owner may see. */
export class TemplateNotFound extends RequestError {
  readonly status = 404;
  readonly code = 'TEMPLATE_NOT_FOUND';

  constructor(id: string) {
    super(`There is no template \`${shownId(id)}\` in this deployment.`);
  }
}

/** Another template has the name; whose it is, is not told. */
export class TemplateNameTaken extends RequestError {
  readonly status = 400;
  readonly code = 'TEMPLATE_NAME_TAKEN';

  constructor(name: string) {
    super(`Another template is called \`${shownId(name)}\`, or the same but for case and spelling: take another name.`);
  }
}

/** The template is declared in Git, and changed there alone. */
export class TemplateReadOnly extends RequestError {
  readonly status = 400;
  readonly code = 'TEMPLATE_READ_ONLY';

  constructor(id: string) {
    super(`Template \`${id}\` is an official one: it is changed where it is declared, in \`templates/\`.`);
  }
}

/** Endpoints run workers of the template. */
export class TemplateInUse extends RequestError {
  readonly status = 400;
  readonly code = 'TEMPLATE_IN_USE';

  constructor(id: string) {
    super(`Endpoints use template \`${id}\`: it can be deleted when none does.`);
  }
}
