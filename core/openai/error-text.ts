/**
 * Parses errors of workers that pass on an error of an OpenAI-compatible server. RunPod's SDK writes all errors as
 * strings: an object as a printed Python dict, an exception as a JSON object with its traceback. worker-vllm
 * writes the server's status and response as in `vLLM returned HTTP 404: {...}`.
 */
import { isErrorStatus, type OpenAiProblem, typeOf } from './error.ts';
import { isMembers, type Literal, type Members, readLiteral } from './literal.ts';

export interface ReadError {
  readonly status: number;
  readonly problem: OpenAiProblem;
}

/** Statuses by the error types of OpenAI and vLLM. */
const statuses: Readonly<Partial<Record<string, number>>> = {
  invalid_request_error: 400,
  BadRequestError: 400,
  authentication_error: 401,
  AuthenticationError: 401,
  permission_error: 403,
  PermissionDeniedError: 403,
  not_found_error: 404,
  NotFoundError: 404,
  conflict_error: 409,
  ConflictError: 409,
  UnprocessableEntityError: 422,
  rate_limit_error: 429,
  RateLimitError: 429,
};

/** Maximum depth of nested errors: of the SDK, of the worker and of the server. */
const DEPTH = 4;

/** Status in a message such as `vLLM returned HTTP 404: `. */
const STATUS = /\b(?:returned HTTP|HTTP status|HTTP(?=\s\d{3}:)) (?<status>\d{3})\b/;
/** Beginning of an object. */
const OBJECT = /\{\s*["'}]/;

interface Found extends Omit<Partial<OpenAiProblem>, 'type'> {
  readonly message: string;
  readonly type?: string | undefined;
  readonly status?: number | undefined;
}

const textOf = (value: Literal | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Returns the code as a status if it is the status of an error, as a number or a string of digits. */
function statusOf(code: Literal | undefined): number | undefined {
  const number = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code;
  return isErrorStatus(number) ? number : undefined;
}

function fromMembers(members: Members, depth: number): Found | undefined {
  const error = members.get('error');
  if (isMembers(error)) return fromMembers(error, depth - 1);
  const inner = textOf(error) ?? textOf(members.get('error_message'));
  if (inner !== undefined) return fromText(inner, depth - 1);
  const message = textOf(members.get('message')) ?? textOf(members.get('detail'));
  if (message === undefined) return undefined;

  const within = depth > 0 ? objectIn(message, depth - 1) : undefined;
  if (within) return within;
  const [code, param] = [members.get('code'), members.get('param')];
  return {
    message,
    type: textOf(members.get('type')),
    param: textOf(param) ?? null,
    code: typeof code === 'string' || typeof code === 'number' ? code : null,
    status: statusOf(prefixStatus(message)) ?? statusOf(code),
  };
}

const prefixStatus = (text: string): string | undefined => STATUS.exec(text.slice(0, 200))?.groups?.status;

/** Returns the error in the first object of the string, with the status that precedes the object. */
function objectIn(text: string, depth: number): Found | undefined {
  const start = OBJECT.exec(text)?.index;
  if (start === undefined || depth < 0) return undefined;
  const value = readLiteral(text, start);
  const found = isMembers(value) ? fromMembers(value, depth) : undefined;
  return found && { ...found, status: statusOf(prefixStatus(text.slice(0, start))) ?? found.status };
}

const fromText = (text: string, depth: number): Found =>
  objectIn(text, depth) ?? { message: text, status: statusOf(prefixStatus(text)) };

function complete({ message, type, param = null, code = null, status: said }: Found): ReadError {
  const status = said ?? statuses[type ?? ''] ?? 500;
  return { status, problem: { message, type: type ?? typeOf(status), param, code } };
}

/**
 * Parses the error of a FAILED job. The status is the one in the text before an object, otherwise the status of its
 * `code` or `type`, otherwise 500.
 */
export const readError = (text: string): ReadError => complete(fromText(text, DEPTH));

/**
 * Parses an output that is an error, as returned by workers whose SDK does not turn it into a failed job.
 * @returns undefined for any other output
 */
export function errorIn(text: string): ReadError | undefined {
  const value = readLiteral(text);
  if (!isMembers(value)) return undefined;
  const isError = value.get('object') === 'error' || (value.size === 1 && value.has('error'));
  const found = isError ? fromMembers(value, DEPTH) : undefined;
  return found && complete(found);
}
