import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import type { Workers } from '../../core/workers/lease.ts';
import { createHeartbeat } from '../../worker/agent/heartbeat.ts';
import { log } from './agents.ts';
import { ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

/** Starts the heartbeat of a worker whose container has not asked for a job yet. */
async function started(endpoint: string, beat: Workers['beat']) {
  const changed = portsWith(ports, { workers: { ...ports.workers, beat } });
  const held = { own: () => [] };
  const heartbeat = createHeartbeat({
    ports: changed,
    endpoint,
    worker: 'w1',
    revision: undefined,
    held,
    log,
    state: () => ({}),
  });
  await heartbeat.beat();
  return heartbeat;
}

describe('a container that asks for a job', () => {
  it('gets none before a lease shows that it is ready, although the first such lease could not be stored', async () => {
    let failures = 1;
    const beat: Workers['beat'] = async (lease) => {
      if (lease.readySince !== null && failures > 0) {
        failures -= 1;
        throw new Error('no answer');
      }
      await ports.workers.beat(lease);
    };
    const heartbeat = await started('he-a', beat);
    await expect(heartbeat.ready()).rejects.toThrow('no answer');
    await heartbeat.ready();
    expect(await ports.workers.read('he-a', 'w1')).toMatchObject({ readySince: expect.any(Number) });
  });

  it('waits with its other calls for the one lease that shows that it is ready', async () => {
    const steps: string[] = [];
    const beat: Workers['beat'] = async ({ readySince }) => {
      await setImmediate();
      steps.push(readySince === null ? 'not ready' : 'stored');
    };
    const heartbeat = await started('he-b', beat);
    const call = () => heartbeat.ready().then(() => steps.push('ready'));
    await Promise.all([call(), call()]);
    await call();
    expect(steps).toEqual(['not ready', 'stored', 'ready', 'ready', 'ready']);
  });
});
