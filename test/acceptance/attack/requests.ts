/**
 * Generates hostile requests. The seed and the number determine the whole request, so each can be repeated by
 * itself.
 */
import fc from 'fast-check';
import type { Operation } from '../../../core/operations/routes.ts';
import { bodyFor, TRAP } from './bodies.ts';
import type { Sending } from './exchange.ts';
import { framing, type Written } from './framing.ts';
import { authorization, extraHeaders } from './headers.ts';
import { target } from './targets.ts';

export interface HostileRequest extends Written {
  /** The operation whose path the request uses. Undefined if the request does not target a route. */
  readonly operation?: Operation | 'openapi';
  readonly method: string;
}

const request: fc.Arbitrary<HostileRequest> = target.chain(({ operation, method, path }) =>
  fc
    .record({ body: bodyFor(operation), authorization, extraHeaders, framing })
    .map(({ body, authorization: own, extraHeaders: more, framing: write }) => {
      const written = write({ method, path, headers: [...own, ...more], body });
      // A message that is not HTTP has no head.
      return { ...(operation && written.head !== '' && { operation }), method, ...written };
    }),
);

/** Maps neighbouring seeds far apart, because they would otherwise share most of their requests. */
const spread = (seed: number) => Math.imul(seed, 0x9e_37_79_b1);

/**
 * Generates the request with this number.
 * @param number from 0
 */
export function requestOf(seed: number, number: number): HostileRequest {
  const [only] = fc.sample(request, { seed: (spread(seed) + number) | 0, numRuns: 1 });
  if (!only) throw new Error('fast-check generated no request.');
  return only;
}

const TOKEN = /\{(\w+(?:-\d+)?):(\w+)\}/g;

export interface Values {
  /** Five digits. The service must never connect to this port. */
  readonly trapPort: string;
  /** Returns the job id or template id in a pool, or the secret of a key. */
  valueOf(pool: string, name: string): string;
}

/** Returns the bytes of the request for this run. */
export function sendingOf({ head, body, method, times, parts, pause, after }: HostileRequest, values: Values): Sending {
  const text = head.replace(TOKEN, (_, pool: string, name: string) => values.valueOf(pool, name));
  const addressed = body.includes(TRAP)
    ? Buffer.from(body.toString('latin1').replaceAll(TRAP, values.trapPort), 'latin1')
    : body;
  const once = Buffer.concat([Buffer.from(text, 'latin1'), addressed]);
  const size = Math.max(1, Math.ceil(once.length / parts));
  const pieces = Array.from({ length: parts }, (_, n) => once.subarray(n * size, (n + 1) * size));
  return {
    pieces: Array.from({ length: times }, () => pieces).flat(),
    pause,
    after,
    expects: times,
    bodyless: method === 'HEAD',
  };
}
