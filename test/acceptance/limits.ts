/** Starts stacks with small limits, and sends more requests than the limits admit. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { RATE_WINDOW, SECOND } from '../../core/limits.ts';
import { copyTree } from '../support/copied-tree.ts';
import { eventually } from './local-service.ts';

/** Divides a limit of the contract. The result is at least one request. */
export const divided = (number: number, by: number): number => Math.max(1, number / by);

/**
 * Divides the limits of all operations in a copy of the repository: in their records, and in the table of routes that is
 * generated from the records.
 * @returns the folder of the copy, which the caller removes
 */
export function copyWithLimitsDivided(by: number): string {
  const copy = copyTree();
  let changes = 0;
  for (const file of globSync('core/operations/*.ts', { cwd: copy }).map((name) => join(copy, name))) {
    const changed = readFileSync(file, 'utf8').replace(
      /\b((?:per10Seconds|concurrent)"?: ?)([\d_]+)/g,
      (_, name: string, number: string) => {
        changes += 1;
        return `${name}${divided(Number(number.replaceAll('_', '')), by)}`;
      },
    );
    writeFileSync(file, changed);
  }
  if (changes < 2 * 20) throw new Error(`core/operations must have at least 40 limits to divide, got ${changes}.`);
  return copy;
}

/** A client's request, and how its body is sent. */
export interface Offer {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Whether the body has no Content-Length. CloudFront then sends the request directly to the ingress.
   * @default false
   */
  readonly isChunked?: boolean;
}

export interface Offered {
  /** Statuses of the responses. */
  readonly statuses: readonly number[];
  readonly admitted: number;
  readonly refused: number;
  /** Milliseconds from the first request to the last response. */
  readonly took: number;
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Sends the request. Asserts that it is admitted, or refused as the contract states. */
async function send({ method, url, body, headers, isChunked = false }: Offer): Promise<Reply> {
  const stream = body === undefined || !isChunked ? body : new Blob([body]).stream();
  const response = await fetch(url, {
    method,
    headers,
    body: stream ?? null,
    ...(isChunked && { duplex: 'half' as const }),
  });
  const text = await response.text();
  if (response.status === 200) return { status: 200, text };
  expect([response.status, text]).toEqual([429, expect.stringContaining('TOO_MANY_REQUESTS')]);
  const retryAfter = Number(response.headers.get('retry-after'));
  expect(retryAfter).toBeGreaterThanOrEqual(1);
  expect(retryAfter).toBeLessThanOrEqual(RATE_WINDOW / SECOND);
  return { status: 429, text };
}

/**
 * Sends the request until it is admitted.
 * @returns the body of the response
 */
export const sendUntilAdmitted = (offer: Offer): Promise<string> =>
  eventually(`${offer.url} is admitted`, async () => {
    const { status, text } = await send(offer);
    return status === 200 ? text : undefined;
  });

const countOf = (statuses: readonly number[], wanted: number) => statuses.filter((status) => status === wanted).length;

/**
 * Sends the requests evenly over 10 seconds. A busy machine takes longer, because at most `connections` requests
 * are in flight.
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
  /** Number of calls that were waiting when all other calls had been refused. */
  readonly waiting: number;
  readonly refused: number;
  /** Response bodies of the calls that waited. */
  readonly ended: readonly string[];
}

/**
 * Starts all calls at the same time.
 * @param more number of calls that must be refused before the waits end
 * @param end ends the waits
 */
export async function waitTogether(offers: readonly Offer[], more: number, end: () => Promise<void>): Promise<Waited> {
  const replies: Reply[] = [];
  const calls = offers.map(async (offer) => replies.push(await send(offer)));
  const all = Promise.all(calls);
  // A failed call fails the test immediately.
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
