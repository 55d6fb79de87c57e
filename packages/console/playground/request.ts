/** Builds the body of `/run` and `/runsync` as text, so that the input reaches the worker as typed. */
import { childrenOf, kindAt, membersOf, skipSpace } from '../json/scan.ts';
import { JsonSyntaxError } from '../json/syntax-error.ts';
import { AT_ONCE } from '../reading/read.ts';
import { DAY } from '../units.ts';

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

/** The policy and webhook as typed. Numbers are strings, so that unfinished numbers are kept. */
export interface Options {
  /** Milliseconds; if empty, the endpoint's limit applies. */
  readonly executionTimeout: string;
  readonly ttl: string;
  readonly lowPriority: boolean;
  readonly webhook: string;
}

export const noOptions: Options = { executionTimeout: '', ttl: '', lowPriority: false, webhook: '' };

/** Returns the body, with the spaces and line breaks of the input. */
export function bodyOf({ input, policy, webhook }: Request): string {
  const members = [`"input": ${input.trim()}`];
  if (policy && Object.keys(policy).length > 0) members.push(`"policy": ${JSON.stringify(policy)}`);
  if (webhook) members.push(`"webhook": ${JSON.stringify(webhook)}`);
  return `{${members.join(', ')}}`;
}

export interface InputError {
  readonly message: string;
  /** Offset of the error. */
  readonly at: number;
}

/** Explains why the text cannot be the input of a job; undefined if it can. */
export function inputError(text: string): InputError | undefined {
  // The page reads the input with each typed character.
  if (text.length > AT_ONCE)
    return {
      message: 'The input is larger than 1 MB, so it cannot be edited here. Send it with a program.',
      at: AT_ONCE,
    };
  try {
    childrenOf(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { message: error.message, at: error.at };
    throw error;
  }
  const at = skipSpace(text, 0);
  if (kindAt(text, at) === 'object') return undefined;
  return { message: 'The input must be an object: { ... }.', at };
}

const REQUEST_MEMBERS = ['input', 'policy', 'webhook', 's3Config'];

/** Returns the input if the text is a whole request, for example copied from another program; otherwise undefined. */
export function inputOfRequest(text: string): string | undefined {
  if (inputError(text)) return undefined;
  const members = membersOf(text);
  const input = members?.get('input');
  if (!members || !input?.startsWith('{')) return undefined;
  return [...members.keys()].every((name) => REQUEST_MEMBERS.includes(name)) ? input : undefined;
}

/** Limits of the interface, in milliseconds. */
export const bounds = {
  executionTimeout: { min: 5001, max: 7 * DAY },
  ttl: { min: 10_000, max: 7 * DAY },
} as const;

export type OptionErrors = Readonly<Partial<Record<keyof Options, string>>>;

function timeError(name: keyof typeof bounds, text: string): string | undefined {
  const { min, max } = bounds[name];
  const isIn = /^\d{1,12}$/.test(text) && Number(text) >= min && Number(text) <= max;
  return text === '' || isIn ? undefined : `Enter a whole number of milliseconds from ${min} to ${max}.`;
}

/** Returns the errors by field. */
export function optionErrors({ executionTimeout, ttl, webhook }: Options): OptionErrors {
  const errors = {
    executionTimeout: timeError('executionTimeout', executionTimeout.trim()),
    ttl: timeError('ttl', ttl.trim()),
    webhook:
      webhook.trim() === '' || (/^https?:\/\//.test(webhook.trim()) && URL.canParse(webhook.trim()))
        ? undefined
        : 'Enter an address that begins with https:// or http://.',
  };
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined));
}

/** Builds the request from an input and options without errors. */
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
