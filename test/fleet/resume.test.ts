/** Tests resuming endpoints that back off. */
import { describe, expect, it } from '@jest/globals';
import { backOffLimits, ENDPOINT_CACHE, MINUTE } from '../../core/limits.ts';
import { resumeEndpoint } from '../../core/management/resume.ts';
import { EndpointNotFound } from '../../core/requests/errors.ts';
import { saveFact } from '../../core/workers/apply-facts.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();

/** Makes enough workers in a row fail that the endpoint backs off. */
async function failWorkers(endpoint: string): Promise<void> {
  for (let n = 0; n < backOffLimits.failures; n += 1) {
    emulated.clock.advance(1_000);
    const at = emulated.clock.now();
    await saveFact(emulated.ports, endpoint, {
      is: 'failed',
      blocker: 'WORKER_EXITS',
      detail: '',
      task: `task-${n}`,
      at,
    });
  }
  emulated.clock.advance(ENDPOINT_CACHE);
}

describe('the operation resume', () => {
  it('starts workers again, and returns the reason that prevented them', async () => {
    const { ports } = emulated;
    await emulated.deploy('re-a');
    await failWorkers('re-a');
    expect((await ports.endpoints.readNow('re-a'))?.fleet.backOff).toBeDefined();
    expect(await resumeEndpoint(ports, 're-a')).toEqual({ id: 're-a', backedOff: true, reason: 'WORKER_EXITS' });
    const { fleet } = (await ports.endpoints.readNow('re-a')) ?? {};
    expect([fleet?.backOff, fleet?.failed]).toEqual([undefined, []]);
  });

  it('keeps why workers are missing and since when, until a worker shows that it is over', async () => {
    const { ports, clock } = emulated;
    await emulated.deploy('re-c');
    const conditionOf = async () => (await ports.endpoints.readNow('re-c'))?.fleet.condition;
    clock.advance(MINUTE);
    const since = clock.now();
    const refused = { is: 'failed', blocker: 'NO_CAPACITY', detail: 'RESOURCE:GPU' } as const;
    await saveFact(ports, 're-c', { ...refused, at: since });
    clock.advance(7 * MINUTE);
    expect(await resumeEndpoint(ports, 're-c')).toEqual({ id: 're-c', backedOff: false, reason: 'NO_CAPACITY' });
    expect(await conditionOf()).toMatchObject({ is: 'NO_CAPACITY', words: 'RESOURCE:GPU', since });
    clock.advance(MINUTE);
    await saveFact(ports, 're-c', { ...refused, at: clock.now() });
    expect(await conditionOf()).toMatchObject({ is: 'NO_CAPACITY', since });
    clock.advance(MINUTE);
    await saveFact(ports, 're-c', { is: 'placed', task: 'task-1', at: clock.now() });
    expect(await conditionOf()).toMatchObject({ is: 'STARTING' });
  });

  it('returns for a starting worker that the endpoint had not backed off, and no blocker', async () => {
    const { ports, clock } = emulated;
    await emulated.deploy('re-b');
    clock.advance(1_000);
    await saveFact(ports, 're-b', { is: 'placed', task: 'task-1', at: clock.now() });
    expect(await resumeEndpoint(ports, 're-b')).toEqual({ id: 're-b', backedOff: false });
  });

  it('is refused for an endpoint that is not deployed', async () => {
    await expect(resumeEndpoint(emulated.ports, 'nowhere')).rejects.toThrow(EndpointNotFound);
  });
});
