/** The body of `/run` and `/runsync`, as text: the input reaches the worker as it was typed. */
import { JsonSyntaxError, kindAt, membersOf, scan, skipSpace } from '../json/scan.ts';

export interface Policy {
  /** Milliseconds. */
  readonly executionTimeout?: number;
  readonly ttl?: number;
  readonly lowPriority?: boolean;
}

export interface Request {
  /** JSON text of an object. */
  readonly input: string;
  readonly policy?: Policy;
  readonly webhook?: string;
}

/** The policy and webhook as typed: texts, so that an unfinished number stays. */
export interface Options {
  /** Milliseconds, or empty for the endpoint's own. */
  readonly executionTimeout: string;
  readonly ttl: string;
  readonly lowPriority: boolean;
  readonly webhook: string;
}

export const noOptions: Options = { executionTimeout: '', ttl: '', lowPriority: false, webhook: '' };

/** The body, with the spaces and line breaks of the input. */
export function bodyOf({ input, policy, webhook }: Request): string {
  const members = [`"input": ${input.trim()}`];
  if (policy && Object.keys(policy).length > 0) members.push(`"policy": ${JSON.stringify(policy)}`);
  if (webhook) members.push(`"webhook": ${JSON.stringify(webhook)}`);
  return `{${members.join(', ')}}`;
}

export interface InputError {
  readonly message: string;
  /** Offset to go to. */
  readonly at: number;
}

/** Why the text cannot be the input of a job; undefined if it can. */
export function inputError(text: string): InputError | undefined {
  try {
    scan(text, 0, {}, true).step(Number.POSITIVE_INFINITY);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { message: error.message, at: error.at };
    throw error;
  }
  const at = skipSpace(text, 0);
  if (kindAt(text, at) === 'object') return undefined;
  return { message: 'The input must be an object: { ... }.', at };
}

const REQUEST_MEMBERS = ['input', 'policy', 'webhook', 's3Config'];

/** The input in a text that is a whole request, as people copy it from other programs; undefined if it is none. */
export function inputOfRequest(text: string): string | undefined {
  if (inputError(text)) return undefined;
  const members = membersOf(text);
  const input = members?.get('input');
  if (!members || !input?.startsWith('{')) return undefined;
  return [...members.keys()].every((name) => REQUEST_MEMBERS.includes(name)) ? input : undefined;
}

const DAY = 24 * 60 * 60 * 1000;

/** Bounds of the interface, in milliseconds. */
export const bounds = {
  executionTimeout: { min: 5001, max: 7 * DAY },
  ttl: { min: 10_000, max: 7 * DAY },
} as const;

export type OptionErrors = Readonly<Partial<Record<keyof Options, string>>>;

function timeError(name: keyof typeof bounds, text: string): string | undefined {
  const { min, max } = bounds[name];
  const isIn = /^\d{1,12}$/.test(text) && Number(text) >= min && Number(text) <= max;
  return text === '' || isIn ? undefined : `Give a whole number of milliseconds from ${min} to ${max}.`;
}

/** The errors, by field. */
export function optionErrors({ executionTimeout, ttl, webhook }: Options): OptionErrors {
  const errors = {
    executionTimeout: timeError('executionTimeout', executionTimeout.trim()),
    ttl: timeError('ttl', ttl.trim()),
    webhook:
      webhook.trim() === '' || (/^https?:\/\//.test(webhook.trim()) && URL.canParse(webhook.trim()))
        ? undefined
        : 'Give an address that begins with https:// or http://.',
  };
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined));
}

/** The request of an input and of options without errors. */
export function requestOf(input: string, options: Options): Request {
  const [executionTimeout, ttl, webhook] = [options.executionTimeout, options.ttl, options.webhook].map((text) =>
    text.trim(),
  );
  const policy: Policy = {
    ...(executionTimeout && { executionTimeout: Number(executionTimeout) }),
    ...(ttl && { ttl: Number(ttl) }),
    ...(options.lowPriority && { lowPriority: true }),
  };
  return { input, ...(Object.keys(policy).length > 0 && { policy }), ...(webhook && { webhook }) };
}
