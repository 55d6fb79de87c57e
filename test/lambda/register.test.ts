import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import type { EndpointConfig } from '../../core/endpoints/endpoint.ts';
import { ENDPOINT_CACHE } from '../../core/limits.ts';
import { withConstantSignature } from '../support/constant-signature.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';
import { type SmallCloudFormation, startSmallCloudFormation } from './small-cloudformation.ts';

const emulated = useEmulatedDeployment();
let cloudFormation: SmallCloudFormation;

beforeAll(async () => {
  cloudFormation = await startSmallCloudFormation();
});
afterAll(async () => {
  cloudFormation.stop();
});

/** Properties as CloudFormation sends them, with every scalar as a string. */
const properties = {
  ServiceToken: 'arn',
  id: 'echo',
  template: 'endpoint-echo',
  owner: 'team-a',
  category: 'CPU',
  pinTemplate: '3',
  largestDiskInGb: '200',
  imageRepositories: ['registry.example/*'],
  normalQueueUrls: ['http://127.0.0.1/normal-even', 'http://127.0.0.1/normal-odd'],
  lowQueueUrls: ['http://127.0.0.1/low-even', 'http://127.0.0.1/low-odd'],
  cluster: 'fleet',
  service: 'echo-service',
  logGroup: 'workers',
  family: 'Endpoint-echo',
  blueprint: 'arn:blueprint:1',
  minWorkers: '1',
  maxWorkers: '3',
  idleTimeout: '60000',
  executionTimeout: '600000',
  concurrency: '4',
  streamEnvelope: 'true',
};

const send = async (event: object) => cloudFormation.send(await import('../../lambda/endpoints/register.ts'), event);

const stored = async (): Promise<EndpointConfig | undefined> => {
  emulated.clock.advance(ENDPOINT_CACHE);
  return emulated.ports.endpoints.read('echo');
};

/** Sets the Region of the function for a test. */
async function inRegion<Result>(region: string, test: () => Promise<Result>): Promise<Result> {
  const before = process.env.AWS_REGION;
  process.env.AWS_REGION = region;
  try {
    return await test();
  } finally {
    if (before === undefined) delete process.env.AWS_REGION;
    else process.env.AWS_REGION = before;
  }
}

describe('the custom resource of an endpoint', () => {
  it('stores the price of a worker only for the Region of the deployment', async () => {
    const workerPrices = JSON.stringify({ 'eu-west-1': { hour: 0.06, date: '2026-08-21' } });
    const ResourceProperties = { ...properties, workerPrices };
    await inRegion('eu-west-1', () => send({ RequestType: 'Create', ResourceProperties }));
    expect((await stored())?.workerPrice).toEqual({ hour: 0.06, date: '2026-08-21', region: 'eu-west-1' });
    const PhysicalResourceId = 'echo';
    await inRegion('eu-west-2', () => send({ RequestType: 'Update', PhysicalResourceId, ResourceProperties }));
    expect((await stored())?.workerPrice).toBeUndefined();
    await send({ RequestType: 'Delete', PhysicalResourceId, ResourceProperties });
  });

  it('stores the budget, and refuses it in a Region where the price of a worker is unknown', async () => {
    const workerPrices = JSON.stringify({ 'eu-west-1': { hour: 0.06, date: '2026-08-21' } });
    const ResourceProperties = { ...properties, workerPrices, maxDollarsPerDay: '12.5' };
    await inRegion('eu-west-1', () => send({ RequestType: 'Create', ResourceProperties }));
    expect((await stored())?.maxDollarsPerDay).toBe(12.5);
    const event = { RequestType: 'Update', PhysicalResourceId: 'echo', ResourceProperties };
    expect(await inRegion('eu-west-2', () => send(event))).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining('cannot have `maxDollarsPerDay`'),
    });
    await send({ RequestType: 'Delete', PhysicalResourceId: 'echo', ResourceProperties });
  });

  it('registers, updates and removes the endpoint, and answers CloudFormation', async () => {
    const created = await send({ RequestType: 'Create', ResourceProperties: properties });
    expect(created).toEqual({
      Status: 'SUCCESS',
      PhysicalResourceId: 'echo',
      StackId: 's',
      RequestId: 'r',
      LogicalResourceId: 'l',
    });
    expect(await stored()).toMatchObject({
      id: 'echo',
      template: 'endpoint-echo',
      owner: 'team-a',
      category: 'CPU',
      pinTemplate: 3,
      largestDiskInGb: 200,
      minWorkers: 1,
      maxWorkers: 3,
      executionTimeout: 600_000,
      concurrency: 4,
      streamEnvelope: true,
    });

    const changed = { ...properties, maxWorkers: '5', streamEnvelope: 'false' };
    await send({ RequestType: 'Update', PhysicalResourceId: 'echo', ResourceProperties: changed });
    expect(await stored()).toMatchObject({ maxWorkers: 5, streamEnvelope: false });

    await send({ RequestType: 'Delete', PhysicalResourceId: 'echo', ResourceProperties: changed });
    expect(await stored()).toBeUndefined();
  });

  it('stores the examples of its file, until they or the endpoint are removed', async () => {
    const examples = [{ name: 'Hello', input: { n: 1, deep: [{ text: '1' }] } }];
    const listed = async () => (await emulated.ports.endpoints.list()).map((endpoint) => endpoint.examples);
    const given = { ...properties, examples: JSON.stringify(examples) };
    await send({ RequestType: 'Create', ResourceProperties: given });
    expect(await listed()).toEqual([examples]);
    expect(await stored()).not.toHaveProperty('examples');
    await send({ RequestType: 'Update', PhysicalResourceId: 'echo', ResourceProperties: properties });
    expect(await listed()).toEqual([undefined]);

    await send({ RequestType: 'Update', PhysicalResourceId: 'echo', ResourceProperties: given });
    await send({ RequestType: 'Delete', PhysicalResourceId: 'echo', ResourceProperties: given });
    const documents = createDocumentClient(withConstantSignature);
    const { Items } = await documents.send(new ScanCommand({ TableName: 'ENDPOINTS_TABLE' }));
    expect(Items).toEqual([]);
  });

  it('answers without a content type, because the URL is signed without one', async () => {
    await send({ RequestType: 'Create', ResourceProperties: properties });
    expect(cloudFormation.contentType()).toBeUndefined();
    await send({ RequestType: 'Delete', PhysicalResourceId: 'echo', ResourceProperties: properties });
  });

  it('fails the deployment with a reason if a property is invalid', async () => {
    const wrong = { ...properties, maxWorkers: 'many' };
    expect(await send({ RequestType: 'Create', ResourceProperties: wrong })).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining('maxWorkers'),
    });
    expect(await stored()).toBeUndefined();
  });
});
