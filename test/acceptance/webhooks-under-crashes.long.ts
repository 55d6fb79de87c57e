/** Tests webhooks whose delivery crashes repeatedly, before or after the call of the receiver. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { webhookAttempts } from '../../core/limits.ts';
import { seedOf } from '../runner/seed.ts';
import { readFaults } from './api/fault-summary.ts';
import { sharedAssembly } from './assembly.ts';
import {
  eventually,
  type LocalService,
  newStateDir,
  readStatus,
  startService,
  stopService,
  submit,
} from './local-service.ts';
import { type Receivers, startReceivers } from './webhooks/receivers.ts';

/** Every seed must pass: FAULT_SEED=7 npm run test:long -- test/acceptance/webhooks-under-crashes */
const SEED = seedOf('FAULT_SEED', 1);
const JOBS = 30;
/**
 * Maximum number of rounds. Rounds are repeated until all expected crashes have occurred. One round might miss
 * some, because a crash ends all concurrent calls.
 */
const ROUNDS = 5;
/** Milliseconds between jobs. The pause limits how many calls one crash of the function ends. */
const PAUSE = 300;
/**
 * Milliseconds without a call after which no execution makes another attempt. They cover the pause between attempts
 * and the restart of a crashed function, which takes seconds on a busy machine.
 */
const QUIET = webhookAttempts.pause + 15_000;

const stateDir = newStateDir();
const faultLog = join(stateDir, 'faults.jsonl');
let service: LocalService;
let receivers: Receivers;

beforeAll(async () => {
  receivers = await startReceivers();
  const env = { LOCAL_FAULTS: `seed=${SEED},crash=0.1,only=WebhooksDeliver`, LOCAL_FAULT_LOG: faultLog };
  service = await startService(stateDir, { args: ['--assembly', await sharedAssembly()], env });
}, 120_000);
afterAll(async () => {
  await stopService(service);
  receivers.stop();
});

describe('a delivery whose function crashes', () => {
  const jobs = new Map<string, string>();

  async function submitSome(): Promise<void> {
    for (let n = 0; n < JOBS; n += 1) {
      const path = `/ok/${jobs.size}`;
      const webhook = `${receivers.url}${path}`;
      const { status, json } = await submit(service, JSON.stringify({ input: { n }, webhook }));
      expect({ status, json }).toMatchObject({ status: 200 });
      jobs.set(path, String(json.id));
      await delay(PAUSE);
    }
    await eventually('the first receiver is called', () => receivers.all()[0]);
    await eventually('no further receiver is called', () => {
      const last = Math.max(...receivers.all().map(({ at }) => at));
      return Date.now() - last > QUIET || undefined;
    });
  }

  const whenDied = () => new Set(readFaults(faultLog).map(({ executed }) => executed));
  const calledAgain = () => [...jobs.keys()].filter((path) => receivers.posts(path).length > 1);

  beforeAll(async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await submitSome();
      if (whenDied().size === 2 && calledAgain().length > 0) return;
    }
  }, 400_000);

  it('is interrupted before and after the call of its receiver', () => {
    console.log(`${readFaults(faultLog).length} crashes, ${receivers.all().length} calls for ${jobs.size} jobs`);
    expect(whenDied()).toEqual(new Set([true, false]));
    expect(calledAgain()).not.toEqual([]);
  });

  it('calls its receiver at most three times, each time with the same message', async () => {
    for (const [path, id] of jobs) {
      const posts = receivers.posts(path);
      expect({ path, posts: posts.length > webhookAttempts.max }).toEqual({ path, posts: false });
      const messages = new Set(posts.map(({ headers, body }) => `${headers['webhook-id']} ${body}`));
      expect(messages.size).toBeLessThanOrEqual(1);
      for (const { headers } of posts) expect(headers['webhook-id']).toBe(`msg_echo_${id}_0`);
    }
  });

  it('counts an attempt for each call, and ends only after an acknowledgement', async () => {
    const states = new Set<unknown>();
    for (const [path, id] of jobs) {
      const { state, attempts } = (await readStatus(service, id)).json.webhook as { state: string; attempts: number };
      const called = receivers.posts(path).length;
      expect({ path, attempts }).toEqual({ path, attempts: Math.max(attempts, called) });
      if (state === 'DELIVERED') expect({ path, called }).not.toEqual({ path, called: 0 });
      states.add(state);
    }
    // The execution of a pending delivery has ended. The sweeper starts a new one.
    expect([...states].filter((state) => state !== 'PENDING')).toEqual(['DELIVERED']);
  });
});
