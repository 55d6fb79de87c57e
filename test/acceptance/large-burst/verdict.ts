/** Checks the replies to the requests of a burst. */
import { RATE_WINDOW, SECOND } from '../../../core/limits.ts';
import type { JobOperation } from '../../../core/operations/routes.ts';
import type { BurstRequest } from './requests.ts';
import type { NoReply, Reply } from './sender.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Returns the parsed body, or undefined if it is not an object or array in JSON. */
export function jsonOf({ text }: Reply): Json | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? (json as Json) : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isCount = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const hasId = ({ id }: Json) => isText(id);
const hasStatus = (json: Json) => hasId(json) && isText(json.status);

/** Whether a 200 has the members of the contract. */
const isAnswer: Readonly<Partial<Record<JobOperation, (json: Json) => boolean>>> = {
  run: (json) => hasId(json) && json.status === 'IN_QUEUE',
  runsync: hasStatus,
  status: hasStatus,
  'status-sync': hasStatus,
  stream: (json) => Array.isArray(json),
  cancel: (json) => hasId(json) && json.status === 'CANCELLED',
  'purge-queue': ({ removed, status }) => isCount(removed) && status === 'completed',
  health: ({ jobs, workers }) => Object.values({ ...(jobs as object), ...(workers as object) }).every(isCount),
};

/** Whether the error is the contract's refusal: it names the operation or the full queue, and when to try again. */
function isRefusal({ operation, endpoint }: BurstRequest, { code, error }: Json, retryAfter: string | undefined) {
  const seconds = Number(retryAfter);
  if (!(Number.isInteger(seconds) && seconds >= 1 && seconds <= RATE_WINDOW / SECOND)) return false;
  const sentence = String(error);
  if (code === 'TOO_MANY_REQUESTS') return sentence.includes(` \`${operation}\` requests `);
  const submits = operation === 'run' || operation === 'runsync';
  return code === 'QUEUE_FULL' && submits && sentence.includes(`endpoint \`${endpoint}\`: it accepts no new jobs`);
}

function isError(json: Json): boolean {
  const members = Object.keys(json).toSorted((one, other) => one.localeCompare(other));
  return members.join() === 'code,error,requestId' && Object.values(json).every(isText);
}

/** @returns status and, for an error, its code, such as `404 JOB_NOT_FOUND` */
export function outcomeOf(reply: Reply | NoReply): string {
  if ('error' in reply) return reply.error;
  const { code } = jsonOf(reply) ?? {};
  return reply.status === 200 ? '200' : `${reply.status} ${String(code)}`;
}

/** Returns what the contract does not allow, or undefined. */
export function problemOf(request: BurstRequest, reply: Reply | NoReply): string | undefined {
  if ('error' in reply) return `got no reply: ${reply.error}`;
  const json = jsonOf(reply);
  const got = `got ${reply.status} ${reply.text.slice(0, 300)}`;
  if (json === undefined) return got;
  if (reply.status === 429)
    return request.mayBeRefused && isError(json) && isRefusal(request, json, reply.retryAfter) ? undefined : got;
  if (!request.allowed.includes(outcomeOf(reply))) return `${got} instead of ${request.allowed.join(' or ')}`;
  const isWell = reply.status === 200 ? (isAnswer[request.operation]?.(json) ?? true) : isError(json);
  return isWell ? undefined : got;
}
