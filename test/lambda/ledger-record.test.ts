/** Calls the function that reads the stream of the jobs table, for an endpoint whose changes cannot be counted. */

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DynamoDBBatchResponse } from 'aws-lambda';
import { createDocumentClient } from '../../aws/clients.ts';
import { ledgerRepeats } from '../../core/limits.ts';
import { submitJob } from '../jobs/scripted-job.ts';
import { withConstantSignature } from '../support/constant-signature.ts';
import { junkJobs } from '../support/junk.ts';
import { followJobs } from '../support/stream.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();
let handle: (event: object) => Promise<DynamoDBBatchResponse>;

beforeAll(async () => {
  // No server listens at this address, so each request for a worker fails. Jobs of low priority request none.
  process.env.AWS_ENDPOINT_URL_ECS = 'http://127.0.0.1:1';
  const { handler } = await import('../../lambda/ledger/record.ts');
  handle = handler as unknown as typeof handle;
});

const countsOf = async (endpoint: string) => (await emulated.ports.endpoints.readNow(endpoint))?.counts.inQueue;

describe('the ledger of all endpoints', () => {
  it('reports the first failed change of an endpoint, and sets its changes aside after repeated failures', async () => {
    const { ports } = emulated;
    for (const endpoint of ['lr-a', 'lr-b']) await emulated.deploy(endpoint);
    const follow = await followJobs();
    await follow();
    await submitJob(ports, 'lr-a', { lowPriority: true });
    await submitJob(ports, 'lr-b');
    await submitJob(ports, 'lr-a', { lowPriority: true });
    const Item = junkJobs['has only a status']('lr-b', ports.newJobId('run', 0));
    await createDocumentClient(withConstantSignature).send(new PutCommand({ TableName: 'JOBS_TABLE', Item }));
    const Records = await follow();
    expect(Records).toHaveLength(4);
    const itemIdentifier = Records[1]?.dynamodb?.SequenceNumber;
    for (let repeat = 0; repeat < ledgerRepeats.max; repeat += 1)
      expect(await handle({ Records: repeat === 0 ? Records : Records.slice(1) })).toEqual({
        batchItemFailures: [{ itemIdentifier }],
      });
    expect(await handle({ Records: Records.slice(1) })).toEqual({ batchItemFailures: [] });
    expect(await countsOf('lr-a')).toBe(2);
    // The failing endpoint no longer delays other endpoints.
    await submitJob(ports, 'lr-b');
    await submitJob(ports, 'lr-a', { lowPriority: true });
    expect(await handle({ Records: await follow() })).toEqual({ batchItemFailures: [] });
    expect(await countsOf('lr-a')).toBe(3);
  }, 30_000);
});
