/** Tests that normal jobs start first, and that jobs of low priority do start. */
import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { zeroCounters } from '../../core/endpoints/counts.ts';
import { scale } from '../../core/fleet/scale.ts';
import { partitionsOf } from '../../core/jobs/id.ts';
import type { JobQueues } from '../../core/jobs/queues.ts';
import { record } from '../../core/ledger/record.ts';
import { ENDPOINT_CACHE, LOW_PRIORITY_PATIENCE, LOW_PRIORITY_PAUSE, MINUTE } from '../../core/limits.ts';
import { submitJob } from '../jobs/scripted-job.ts';
import { recordServices } from '../support/recorded-services.ts';
import { forever } from './agents.ts';
import { agents, emulated, ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

let sequence = 100;

/** Adds this many waiting jobs to the ledger, and lets every cache expire. */
async function addWaiting(endpoint: string, inQueue: number, lowInQueue: number) {
  const [partition = ''] = partitionsOf(endpoint);
  sequence += 1;
  const delta = { ...zeroCounters, inQueue, lowInQueue };
  await ports.ledger.add(partition, [{ sequence: String(sequence), delta, arrivals: {} }]);
  emulated.clock.advance(ENDPOINT_CACHE);
}

/** Pauses of the agent, with their lengths. The test ends them. */
function heldPauses() {
  const pauses: (() => void)[] = [];
  const lengths: number[] = [];
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  return {
    asked,
    lengths,
    async pause(milliseconds: number) {
      lengths.push(milliseconds);
      isAsked();
      await new Promise<void>((resolve) => pauses.push(resolve));
    },
    end() {
      for (const end of pauses.splice(0)) end();
    },
  };
}

/** Returns ports that show hidden messages immediately and count the reads of the queue. */
function withoutHiding(queueUrl: string) {
  const hidden: number[] = [];
  const asked = { times: 0 };
  const jobQueues: JobQueues = {
    ...ports.jobQueues,
    async hide(message, milliseconds) {
      hidden.push(milliseconds);
      await ports.jobQueues.hide(message, 0);
    },
    async receive(url, ...rest) {
      if (url === queueUrl) asked.times += 1;
      return ports.jobQueues.receive(url, ...rest);
    },
  };
  return { hidden, asked, changed: portsWith(ports, { jobQueues }) };
}

const submitLow = (endpoint: string) => submitJob(ports, endpoint, { lowPriority: true });
const statusOf = async (endpoint: string, id: string) => (await ports.jobs.read({ endpoint, id }))?.status;

describe('a job of low priority', () => {
  it('waits while normal jobs wait, with a check each second, and starts when no normal job waits', async () => {
    const [lowQueueUrl] = (await emulated.deploy('lo-a')).lowQueueUrls;
    const id = await submitLow('lo-a');
    await addWaiting('lo-a', 2, 1);
    const { asked, pause, lengths, end } = heldPauses();
    const { hidden, asked: receives, changed } = withoutHiding(lowQueueUrl);
    const agent = await agents.start('lo-a', 'w1', { pause, ports: changed });
    const next = agent.next(forever);
    await asked;
    expect([hidden, lengths, receives.times]).toEqual([[2_000], [LOW_PRIORITY_PAUSE], 1]);
    expect(await statusOf('lo-a', id)).toBe('IN_QUEUE');

    await addWaiting('lo-a', -1, 0);
    const ending = setInterval(end, 10);
    expect(await next).toMatchObject({ id });
    clearInterval(ending);
  });

  it('waits for a normal job that arrives at the same time, and is then visible to other workers', async () => {
    const [lowQueueUrl] = (await emulated.deploy('lo-b')).lowQueueUrls;
    const low = await submitLow('lo-b');
    const { asked, pause, end } = heldPauses();
    const agent = await agents.start('lo-b', 'w1', { pause });
    const next = agent.next(forever);
    await asked;
    const normal = await submitJob(ports, 'lo-b');
    expect(await next).toMatchObject({ id: normal });
    end();
    expect(await ports.jobQueues.receive(lowQueueUrl, 1, 5_000, MINUTE)).toMatchObject([{ job: low }]);
  });

  it('starts although normal jobs wait, when it has waited for ten minutes', async () => {
    await emulated.deploy('lo-c');
    const id = await submitLow('lo-c');
    await addWaiting('lo-c', 2, 1);
    emulated.clock.advance(LOW_PRIORITY_PATIENCE + MINUTE);
    const agent = await agents.start('lo-c', 'w1', { pause: async () => undefined });
    expect(await agent.next(forever)).toMatchObject({ id });
  });

  it('starts no worker, however long it waits', async () => {
    await emulated.deploy('lo-d', { minWorkers: 0 });
    const services = recordServices();
    await emulated.changes();
    await submitLow('lo-d');
    await record(portsWith(ports, { services }), await emulated.changes());
    emulated.clock.advance(2 * LOW_PRIORITY_PATIENCE);
    expect((await ports.endpoints.readNow('lo-d'))?.counts).toMatchObject({ inQueue: 1, lowInQueue: 1 });
    await scale(portsWith(ports, { services }), 'lo-d', 'both');
    expect(services.desiredCounts.get('lo-d')).toEqual([0]);
  });
});
