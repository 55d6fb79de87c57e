/** Tests that a delivery ends after at most three calls if executions are repeated, delayed or lost. */

import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { deliveryOf } from '../../core/jobs/delivery-key.ts';
import { MINUTE, SECOND, webhookAttempts } from '../../core/limits.ts';
import { run } from '../../core/submission/submit.ts';
import { type DeliverPorts, deliver } from '../../core/webhooks/deliver.ts';
import { redrive } from '../../core/webhooks/redrive.ts';
import { finish } from '../../core/workers/report.ts';
import { takeJob } from '../jobs/scripted-job.ts';
import { numbersOf, PROPERTY_SEED, seedOf } from '../runner/seed.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { answered, withReceiver } from './receiver.ts';

const emulated = useEmulatedDeployment();

interface Execution {
  readonly name: string;
  readonly fromStream: boolean;
  retry: number;
}

async function endedJob(endpoint: string) {
  const body = '{"input":{},"webhook":"https://receiver.example/"}';
  const { id } = await run(emulated.ports, { endpoint, owner: 'ada', body: Buffer.from(body) });
  await finish(emulated.ports, await takeJob(emulated.ports, endpoint, id), { output: '1' });
  const job = await emulated.ports.jobs.read({ endpoint, id });
  const key = job && deliveryOf(job);
  if (!key) throw new Error('The job has no delivery.');
  return { job, key };
}

async function disturbedDelivery(seed: number) {
  const below = numbersOf(seed);
  const { clock } = emulated;
  const { job, key } = await endedJob('wc-a');
  let dies: 'before' | 'after' | undefined;
  let status = 500;
  const { ports, received } = withReceiver(emulated.ports, () => {
    if (dies === 'after') throw new Error('The process died after its call.');
    return answered(status);
  });
  const webhookClient = { post: () => Promise.reject(new Error('The process died before its call.')) };
  const dyingBefore: DeliverPorts = portsWith(ports, { webhookClient });
  let calls = 0;
  /** Number of executions that ended the delivery and counted it for the failure rate. */
  let ends = 0;

  /**
   * Calls the function once.
   * @returns whether the state machine calls it again
   */
  async function turn({ name, fromStream, retry }: Execution): Promise<boolean> {
    calls += 1;
    const request = { ended: fromStream ? job : key, execution: name, earlierCalls: retry, call: `call ${calls}` };
    try {
      const { again, over } = await deliver(dies === 'before' ? dyingBefore : ports, request);
      if (over) ends += 1;
      return again;
    } catch {
      return true;
    }
  }

  let executions: Execution[] = [];
  for (let step = 0; step < 30; step += 1) {
    if (executions.length === 0 || (executions.length < 4 && below(4) === 0))
      executions.push({ name: `e${step}`, fromStream: below(2) === 0, retry: 0 });
    const execution = executions[below(executions.length)] as Execution;
    dies = ([undefined, undefined, 'before', 'after'] as const)[below(4)];
    status = below(12) === 0 ? 200 : 500;
    // Some calls run twice at the same time.
    const again = await Promise.all(Array.from({ length: below(4) === 0 ? 2 : 1 }, () => turn(execution)));
    execution.retry += 1;
    const goesOn = again.includes(true) && execution.retry < webhookAttempts.max && below(6) > 0;
    if (!goesOn) executions = executions.filter((each) => each !== execution);
    clock.advance(below(3) === 0 ? below(90) * SECOND : below(11) * SECOND);
  }

  // The sweeper completes the delivery.
  dies = undefined;
  status = 500;
  const due = clock.now();
  for (let sweeps = 0; sweeps < 20 && (await redrive(emulated.ports, key, due)) !== 'over'; sweeps += 1) {
    const execution: Execution = { name: `swept ${sweeps}`, fromStream: false, retry: 0 };
    while (execution.retry < webhookAttempts.max && (await turn(execution))) {
      execution.retry += 1;
      clock.advance(webhookAttempts.pause);
    }
    clock.advance(MINUTE);
  }
  return { received, ends, delivery: await emulated.ports.deliveries.read(key, 'now') };
}

describe('a delivery whose executions fail or run twice', () => {
  it('calls its receiver at most three times, always with the same body, and ends', async () => {
    await emulated.deploy('wc-a', { maxWorkers: 100 });
    const first = seedOf(PROPERTY_SEED);
    const counts = new Map<number, number>();
    const isComplete = () => counts.has(webhookAttempts.max);
    // At least one delivery must use all its attempts, or the test proves little.
    for (let seed = first; seed < first + 8 || (!isComplete() && seed < first + 200); seed += 1) {
      const { received, ends, delivery } = await disturbedDelivery(seed);
      expect({ seed, posts: received.length }).toEqual({
        seed,
        posts: Math.min(received.length, webhookAttempts.max),
      });
      const messages = new Set(received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`));
      expect({ seed, messages: messages.size }).toEqual({ seed, messages: Math.min(1, received.length) });
      expect({ seed, state: delivery?.state }).not.toEqual({ seed, state: 'PENDING' });
      expect({ seed, ends }).toEqual({ seed, ends: 1 });
      expect(delivery?.attempts).toBeGreaterThanOrEqual(received.length);
      counts.set(received.length, (counts.get(received.length) ?? 0) + 1);
    }
    expect(isComplete()).toBe(true);
  });
});
