/** Sends hostile requests, several at the same time, and collects the outcomes. */

import { MINUTE } from '../../../core/limits.ts';
import type { Operation } from '../../../core/operations/routes.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type HostileRequest, requestOf, sendingOf } from './requests.ts';
import { portOf, type Scene } from './scene.ts';
import { outcomeOf, problemOf } from './verdict.ts';

export interface Attack {
  /** One line for each request with a wrong response. */
  readonly problems: readonly string[];
  /** Number of replies by status, and of connections that were closed without a reply. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** The same numbers for each operation. */
  readonly byOperation: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Milliseconds of the longest exchange. */
  readonly longest: number;
}

export interface Order {
  readonly seed: number;
  /** Numbers of the requests. */
  readonly numbers: readonly number[];
}

/** Requests in flight. One thread serves all requests of a function, so more requests would only wait. */
const LANES = 32;
/** Milliseconds after which a request without a reply counts as hanging. */
const WITHIN = MINUTE;
const SHOWN = 400;

const MAKES: readonly (Operation | 'openapi' | undefined)[] = ['run', 'runsync', 'create-template'];

/** Replaces ids in the pools, because results expire and templates are deleted. */
function replaceIds(scene: Scene, number: number, { operation, head }: HostileRequest, { replies }: Exchange): void {
  if (!MAKES.includes(operation)) return;
  const [{ status, body } = { status: 0, body: '' }] = replies;
  if (status !== 200) return;
  const { id } = JSON.parse(body) as { id?: string };
  const pool = operation === 'create-template' ? 'templates' : /^\S+ \/v2\/([\w-]+)\//.exec(head)?.[1];
  if (id !== undefined && pool !== undefined) scene.replace(pool, number, id);
}

const add = (counts: Map<string, number>, outcome: string) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1);

export async function attack(scene: Scene, { seed, numbers }: Order): Promise<Attack> {
  const port = portOf(scene);
  const problems: string[] = [];
  const outcomes = new Map<string, number>();
  const byOperation = new Map<string, Map<string, number>>();
  let longest = 0;

  async function send(number: number): Promise<void> {
    const request = requestOf(seed, number);
    const sending = sendingOf(request, scene);
    const done = await exchange(port, sending, WITHIN);
    longest = Math.max(longest, done.lasted);
    const ofIt = byOperation.get(request.operation ?? 'none') ?? new Map<string, number>();
    byOperation.set(request.operation ?? 'none', ofIt);
    for (const outcome of outcomeOf(done)) {
      add(outcomes, outcome);
      add(ofIt, outcome);
    }
    const problem = problemOf(request, done, scene.secrets);
    const sent = JSON.stringify(Buffer.concat([...sending.pieces]).toString('latin1', 0, SHOWN));
    if (problem) problems.push(`HOSTILE_SEED=${seed} HOSTILE_REQUEST=${number} ${problem.slice(0, SHOWN)} for ${sent}`);
    else replaceIds(scene, number, request, done);
  }

  const queue = numbers[Symbol.iterator]();
  const lane = async () => {
    for (const number of queue) await send(number);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { problems, outcomes, byOperation, longest };
}
