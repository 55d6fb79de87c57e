/** Starts stacks with small limits, and clients that send more than the limits admit. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { RATE_WINDOW, SECOND } from '../../core/limits.ts';
import { copyTree } from '../mutants/copy.ts';
import { eventually } from './local-service.ts';

/** Divides a number of the contract; a rate limit admits at least one request. */
export const divided = (number: number, by: number): number => Math.max(1, number / by);

/** Divides all numbers of `core/routes.ts` in a copy of the repository. @returns its folder, which the caller removes */
export function copyWithLimitsDivided(by: number): string {
  const copy = copyTree();
  const file = join(copy, 'core/routes.ts');
  let changes = 0;
  const changed = readFileSync(file, 'utf8').replace(
    /\b(per10Seconds|concurrent): ([\d_]+)/g,
    (_, name: string, number: string) => {
      changes += 1;
      return `${name}: ${divided(Number(number.replaceAll('_', '')), by)}`;
    },
  );
  if (changes < 20) throw new Error(`core/routes.ts has ${changes} limits that could be divided.`);
  writeFileSync(file, changed);
  return copy;
}

/** A request of a client, and how its body is sent. */
export interface Offer {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the body has no Content-Length: it takes the direct way then. @default false */
  readonly isChunked?: boolean;
}

export interface Offered {
  /** Statuses of the answers. */
  readonly statuses: readonly number[];
  readonly admitted: number;
  readonly refused: number;
  /** Milliseconds from the first request to the last answer. */
  readonly took: number;
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Sends the request. Asserts that it is admitted, or refused as the contract says. */
async function send({ method, url, body, headers, isChunked = false }: Offer): Promise<Reply> {
  const stream = body === undefined || !isChunked ? body : new Blob([body]).stream();
  const response = await fetch(url, { method, headers, body: stream, ...(isChunked && { duplex: 'half' as const }) });
  const text = await response.text();
  if (response.status === 200) return { status: 200, text };
  expect([response.status, text]).toEqual([429, expect.stringContaining('TOO_MANY_REQUESTS')]);
  const retryAfter = Number(response.headers.get('retry-after'));
  expect(retryAfter).toBeGreaterThanOrEqual(1);
  expect(retryAfter).toBeLessThanOrEqual(RATE_WINDOW / SECOND);
  return { status: 429, text };
}

/** Sends the request until it is admitted. @returns the text of the answer */
export const sendUntilAdmitted = (offer: Offer): Promise<string> =>
  eventually(`${offer.url} is admitted`, async () => {
    const { status, text } = await send(offer);
    return status === 200 ? text : undefined;
  });

const countOf = (statuses: readonly number[], wanted: number) => statuses.filter((status) => status === wanted).length;

/**
 * Sends the requests evenly over 10 seconds. A busy machine takes longer: at most `connections` requests are under
 * way.
 */
export async function offerEvenly(count: number, connections: number, offer: Offer): Promise<Offered> {
  const begin = performance.now();
  const statuses: number[] = [];
  let next = 0;
  const connection = async () => {
    while (next < count) {
      const due = begin + (next * RATE_WINDOW) / count;
      next += 1;
      await delay(Math.max(0, due - performance.now()));
      statuses.push((await send(offer)).status);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const took = performance.now() - begin;
  return { statuses, admitted: countOf(statuses, 200), refused: countOf(statuses, 429), took };
}

export interface Waited {
  /** Calls that waited at the same time when all others had been refused. */
  readonly waiting: number;
  readonly refused: number;
  /** Texts of the answers of the calls that waited. */
  readonly ended: readonly string[];
}

/**
 * Begins all calls at once.
 * @param more calls that must be refused before the waits end
 * @param end ends the waits
 */
export async function waitTogether(offers: readonly Offer[], more: number, end: () => Promise<void>): Promise<Waited> {
  const replies: Reply[] = [];
  const calls = offers.map(async (offer) => replies.push(await send(offer)));
  const all = Promise.all(calls);
  // A call that fails ends the test at once.
  await Promise.race([eventually(`${more} calls are refused`, () => replies.length >= more || undefined), all]);
  const early = [...replies];
  expect(
    countOf(
      early.map(({ status }) => status),
      429,
    ),
  ).toBe(early.length);
  const waiting = offers.length - early.length;
  await end();
  await all;
  const ended = replies.filter(({ status }) => status === 200).map(({ text }) => text);
  return { waiting, refused: offers.length - ended.length, ended };
}
