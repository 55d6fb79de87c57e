/**
 * The errors of requests: one class per failure, each with its HTTP status and a stable `code`. Only
 * `core/http/respond.ts` turns them into responses.
 */
import { QUEUE_FULL_RETRY, SECOND, THROTTLED_RETRY } from '../limits.ts';
import { shortened } from './shortened.ts';

export abstract class RequestError extends Error {
  abstract override readonly name: string;
  abstract readonly status: number;
  abstract readonly code: string;
  /** Seconds after which the client can try again, for the `Retry-After` header. */
  readonly retryAfter?: number;
  /** The job record, which is part of the response. */
  readonly record?: JobRecord;
}

/** The members of a job record that an error response contains. */
interface JobRecord {
  readonly id: string;
  readonly error: string;
}

/** The request is malformed: the message names the field, its value and what is allowed. */
export class InvalidRequest extends RequestError {
  override readonly name = 'InvalidRequest';
  readonly status = 400;
  readonly code = 'INVALID_REQUEST';
}

/** The key is missing, wrong or expired, or lacks the permission: always 401 in this contract. */
export class Unauthorized extends RequestError {
  override readonly name: string = 'Unauthorized';
  readonly status = 401;
  readonly code = 'UNAUTHORIZED';
}

/** The access token of a user has expired. The console renews it. */
export class TokenExpired extends RequestError {
  override readonly name = 'TokenExpired';
  readonly status = 401;
  readonly code = 'TOKEN_EXPIRED';

  constructor(options?: ErrorOptions) {
    super('The access token has expired: renew it, or sign in again.', options);
  }
}

/** No group of the user permits the operation. The status is 401, as for every missing permission of a key. */
export class NotPermitted extends RequestError {
  override readonly name = 'NotPermitted';
  readonly status = 401;
  readonly code = 'NOT_PERMITTED';

  /** @param sentence names the groups that have the permission */
  constructor(sentence: string) {
    super(`${sentence} Ask an administrator of the user pool to change your groups.`);
  }
}

/** The key lacks the scope for secrets and registry logins. The status is 401, as for every missing permission. */
export class SecretsNotPermitted extends RequestError {
  override readonly name = 'SecretsNotPermitted';
  readonly status = 401;
  readonly code = 'SECRETS_NOT_PERMITTED';

  /** @param names the secrets that the request adds, as the caller sees them */
  constructor(names: string) {
    super(`The API key does not have the scope templates:secrets, which it needs to name ${names} in a template.`);
  }
}

/** The interface does not have this path with this method. */
export class RouteNotFound extends RequestError {
  override readonly name = 'RouteNotFound';
  readonly status = 404;
  readonly code = 'ROUTE_NOT_FOUND';

  constructor(method: string) {
    super(`The interface has no operation \`${method}\` at this path.`);
  }
}

/** The endpoint was never deployed in this deployment, or was removed. */
export class EndpointNotFound extends RequestError {
  override readonly name = 'EndpointNotFound';
  readonly status = 404;
  readonly code = 'ENDPOINT_NOT_FOUND';

  constructor(endpoint: string) {
    super(`There is no endpoint \`${shortened(endpoint)}\` in this deployment.`);
  }
}

/** The endpoint has no job with the id, or the job's result has been removed. */
export class JobNotFound extends RequestError {
  override readonly name = 'JobNotFound';
  readonly status = 404;
  readonly code = 'JOB_NOT_FOUND';

  /** @param endpoint the endpoint that was searched; undefined means all endpoints of the caller */
  constructor(endpoint: string | undefined, id: string) {
    const searched =
      endpoint === undefined ? 'No endpoint that this caller may call' : `Endpoint \`${shortened(endpoint)}\``;
    super(`${searched} has ${endpoint === undefined ? 'the' : 'no'} job \`${shortened(id)}\`.`);
  }
}

/** No key has the id, or several key ids begin with it. */
export class KeyNotFound extends RequestError {
  override readonly name = 'KeyNotFound';
  readonly status = 404;
  readonly code = 'KEY_NOT_FOUND';
}

/** The job has ended, and the retention of its result is over. */
export class JobExpired extends RequestError {
  override readonly name = 'JobExpired';
  readonly status = 404;
  readonly code = 'JOB_EXPIRED';

  constructor(id: string, expiredAt: number) {
    super(`The result of job \`${id}\` expired at ${new Date(expiredAt).toISOString()}.`);
  }
}

/** The job cannot be retried, because it has not failed or timed out. */
export class JobNotRetryable extends RequestError {
  override readonly name = 'JobNotRetryable';
  readonly status = 400;
  readonly code = 'JOB_NOT_RETRYABLE';

  constructor(id: string, status: string) {
    super(`Job \`${id}\` is ${status}: only a job that is FAILED or TIMED_OUT can be retried.`);
  }
}

/** The delivery does not exist: the job has no webhook, has ended fewer times than `completion`, or was purged. */
export class WebhookNotFound extends RequestError {
  override readonly name = 'WebhookNotFound';
  readonly status = 404;
  readonly code = 'WEBHOOK_NOT_FOUND';

  constructor(id: string) {
    super(
      `Job \`${shortened(id)}\` has no such webhook delivery: it has no webhook, or has ended fewer times than \`completion\`.`,
    );
  }
}

/** The delivery cannot be sent again, because it is not FAILED. */
export class WebhookNotFailed extends RequestError {
  override readonly name = 'WebhookNotFailed';
  readonly status = 400;
  readonly code = 'WEBHOOK_NOT_FAILED';

  constructor(id: string, state: string) {
    super(`The webhook delivery of job \`${id}\` is ${state}: only a FAILED delivery can be sent again.`);
  }
}

/** The body or one of its fields is larger than the operation accepts. */
export class PayloadTooLarge extends RequestError {
  override readonly name = 'PayloadTooLarge';
  readonly status = 413;
  readonly code = 'PAYLOAD_TOO_LARGE';
}

/** The body arrived too slowly. Nothing was stored. */
export class RequestTimeout extends RequestError {
  override readonly name = 'RequestTimeout';
  readonly status = 408;
  readonly code = 'REQUEST_TIMEOUT';
}

/** The idempotency key has already been used with another body. */
export class IdempotencyConflict extends RequestError {
  override readonly name = 'IdempotencyConflict';
  readonly status = 409;
  readonly code = 'IDEMPOTENCY_CONFLICT';

  constructor() {
    super('This `Idempotency-Key` was used in the last 24 hours with another body: use another key for another job.');
  }
}

/** The job was accepted, but all its workers were lost before they could report a result. */
export class WorkerLost extends RequestError {
  override readonly name = 'WorkerLost';
  readonly status = 500;
  readonly code = 'WORKER_LOST';
  override readonly record: JobRecord;

  constructor(record: JobRecord) {
    super(record.error);
    this.record = record;
  }
}

/** The queue of the endpoint is full. Nothing was stored. */
export class QueueFull extends RequestError {
  override readonly name = 'QueueFull';
  readonly status = 429;
  readonly code = 'QUEUE_FULL';
  override readonly retryAfter = QUEUE_FULL_RETRY / SECOND;

  constructor(endpoint: string, { waiting, max }: { readonly waiting: number; readonly max: number }) {
    super(`${waiting} jobs wait at endpoint \`${endpoint}\`: it accepts no new jobs while more than ${max} wait.`);
  }
}

/** The caller exceeded the rate limit of the operation. */
export class TooManyRequests extends RequestError {
  override readonly name: string = 'TooManyRequests';
  readonly status = 429;
  readonly code = 'TOO_MANY_REQUESTS';
  override readonly retryAfter: number;

  /** @param retryAfter seconds */
  constructor(message: string, retryAfter: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfter = retryAfter;
  }
}

/** AWS refused calls of the service because of their rate. `consequence` says what the caller must know. */
export class Throttled extends TooManyRequests {
  override readonly name = 'Throttled';
  constructor(consequence: string) {
    super(`AWS refuses calls of the service because of their rate. ${consequence}`, THROTTLED_RETRY / SECOND);
  }
}

/** The account has reached AWS's limit on log searches. */
export class LogsBusy extends TooManyRequests {
  override readonly name = 'LogsBusy';
  constructor(options?: ErrorOptions) {
    const remedy = 'Try again after the number of seconds in `Retry-After`.';
    super(`AWS is throttling log searches in this account. ${remedy}`, 1, options);
  }
}

/** The template does not exist, or the caller may not see it. */
export class TemplateNotFound extends RequestError {
  override readonly name = 'TemplateNotFound';
  readonly status = 404;
  readonly code = 'TEMPLATE_NOT_FOUND';

  constructor(id: string) {
    super(`There is no template \`${shortened(id)}\` in this deployment.`);
  }
}

/** Another template has the name. The error does not reveal the owner of that template. */
export class TemplateNameTaken extends RequestError {
  override readonly name = 'TemplateNameTaken';
  readonly status = 400;
  readonly code = 'TEMPLATE_NAME_TAKEN';

  constructor(name: string) {
    super(
      `Another template has the name \`${shortened(name)}\`, or a name that differs only in case or spelling: use another name.`,
    );
  }
}

/** The template is declared in Git and can only be changed there. */
export class TemplateReadOnly extends RequestError {
  override readonly name = 'TemplateReadOnly';
  readonly status = 400;
  readonly code = 'TEMPLATE_READ_ONLY';

  constructor(id: string) {
    super(`Template \`${id}\` is official: change its file in \`templates/\` and deploy.`);
  }
}

/** A file declares the fields, and the deployment locks them. Only a signed-in user can update them with a reason. */
export class DeclaredInGit extends RequestError {
  override readonly name = 'DeclaredInGit';
  readonly status = 409;
  readonly code = 'DECLARED_IN_GIT';

  /** @param fields names of the fields, as the caller sees them */
  constructor(file: string, fields: string, kind: 'key' | 'user') {
    const otherwise = kind === 'user' ? 'Or send a `reason`.' : 'A user of the console can update it with a `reason`.';
    super(`The file \`${file}\` declares ${fields}: change the file and deploy. ${otherwise}`);
  }
}

/** The template cannot be deleted while endpoints use it. */
export class TemplateInUse extends RequestError {
  override readonly name = 'TemplateInUse';
  readonly status = 400;
  readonly code = 'TEMPLATE_IN_USE';

  constructor(id: string) {
    super(`Endpoints use template \`${id}\` (see \`GET /templates/${id}\`): delete it when no endpoint uses it.`);
  }
}
