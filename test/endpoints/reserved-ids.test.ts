import { describe, expect, it } from '@jest/globals';
import { isReservedId, reservedIds, wordsForEndpoints } from '../../core/endpoints/reserved-ids.ts';
import { find } from '../../core/jobs/find.ts';
import { submitJob } from '../jobs/scripted-job.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();

const wordsOf = (...paths: readonly string[]) => wordsForEndpoints(paths.map((path) => ({ path })));

describe('the words that are reserved for paths', () => {
  it('are those that a path has in the place of `{endpoint}` of another', () => {
    expect(wordsOf('/{endpoint}/run', '/fleet/health', '/batches')).toEqual(['fleet', 'batches']);
    expect(wordsOf('/endpoints/{endpoint}/workers', '/endpoints/archived', '/keys/all')).toEqual(['archived']);
    expect(wordsOf('/{region}/{endpoint}/run', '/north/archived/run')).toEqual(['archived']);
  });

  it('are no words behind `{endpoint}`, of another interface, or that are no ids', () => {
    expect(wordsOf('/{endpoint}/run', '/{endpoint}/webhooks/{job}/resend')).toEqual([]);
    expect(wordsOf('/endpoints', '/endpoints/{endpoint}/workers', '/keys/{key}', '/jobs')).toEqual([]);
    expect(wordsOf('/{endpoint}/run', '/openapi.json')).toEqual([]);
    expect(reservedIds).not.toContain('health');
  });

  it('do not take the id of an endpoint that is already deployed', async () => {
    expect(isReservedId('pods')).toBe(true);
    await emulated.deploy('pods');
    const id = await submitJob(emulated.ports, 'pods');
    expect((await find(emulated.ports, { endpoint: 'pods', id })).job).toMatchObject({ status: 'IN_QUEUE' });
  });
});
