/** Tests how real SDKs react to injected faults, and which calls the proxy injects faults into. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DescribeServicesCommand, ECSClient } from '@aws-sdk/client-ecs';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATOR } from '../../account.ts';
import { createDraws, type Draw } from '../../aws-proxy/fault-draws.ts';
import { type FaultKind, type FaultPlan, faultKinds, parseFaultPlan } from '../../aws-proxy/fault-plan.ts';
import type { LoggedFault } from '../../aws-proxy/faults.ts';
import { type AwsProxy, startAwsProxy } from '../../aws-proxy/server.ts';
import { LocalError } from '../../local-error.ts';
import { credentialsOf } from '../credentials.ts';
import { type SmallProxy, startSmallProxy } from './small-proxy.ts';

const ROLE = 'caller';
const SITE = `${ROLE} dynamodb:PutItem table/jobs`;
const TableName = 'jobs';
/** The SDK's message for a connection that was cut. */
const CUT = 'socket hang up';

let small: SmallProxy;
let proxy: AwsProxy | undefined;
let faultLog: string;
let crashed: string[];

beforeAll(async () => {
  small = await startSmallProxy();
  small.role(ROLE, { Effect: 'Allow', Action: '*', Resource: '*' });
  faultLog = join(dirname(small.callLog), 'faults.jsonl');
});
afterEach(async () => {
  await proxy?.stop();
  proxy = undefined;
});
afterAll(() => small.stop());

const ecs = {
  call: async () => ({ services: [] }),
  authorization: () => ({ action: 'ecs:DescribeServices', resource: 'arn:aws:ecs:us-east-1:0:service/fleet/echo' }),
};

/** Starts another proxy over the same emulators, which injects this fault into all calls. */
async function startFaulty(kind: FaultKind, begins = true): Promise<void> {
  crashed = [];
  proxy = await startAwsProxy({
    emulators: small.emulators,
    permissions: small.permissions,
    tables: new Map([[TableName, { partition: 'partition', sort: 'id' }]]),
    services: new Map([['ecs', ecs]]),
    notify: () => undefined,
    faults: parseFaultPlan(`seed=1,${kind}=1`),
    faultLog: `${faultLog}.${kind}`,
  });
  if (begins) proxy.beginFaults(async (session) => void crashed.push(session));
}

const settings = (maxAttempts: number, role = ROLE) => ({
  region: 'us-east-1',
  maxAttempts,
  ...(proxy && { endpoint: proxy.url, credentials: credentialsOf(proxy, role) }),
});

const keyOf = (id: string) => ({ partition: { S: 'faults' }, id: { S: id } });
const put = (id: string, maxAttempts = 1, role = ROLE) =>
  new DynamoDBClient(settings(maxAttempts, role)).send(new PutItemCommand({ TableName, Item: keyOf(id) }));
const exists = async (id: string) =>
  (await small.dynamodb().send(new GetItemCommand({ TableName, Key: keyOf(id) }))).Item !== undefined;

async function logged(kind: FaultKind): Promise<LoggedFault[]> {
  await proxy?.stop();
  proxy = undefined;
  const lines = readFileSync(`${faultLog}.${kind}`, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as LoggedFault);
}

describe('a throttle', () => {
  it.each<[string, string, () => Promise<unknown>]>([
    ['dynamodb', 'ProvisionedThroughputExceededException', () => put('throttled', 2)],
    [
      'sqs',
      'RequestThrottled',
      () =>
        new SQSClient(settings(2)).send(new SendMessageCommand({ QueueUrl: `${proxy?.url}/0/jobs`, MessageBody: 'x' })),
    ],
    [
      's3',
      'SlowDown',
      () =>
        new S3Client({ ...settings(2), forcePathStyle: true }).send(
          new PutObjectCommand({ Bucket: 'files', Key: 'a', Body: 'x' }),
        ),
    ],
    [
      'ecs',
      'ThrottlingException',
      () => new ECSClient(settings(2)).send(new DescribeServicesCommand({ services: ['echo'] })),
    ],
  ])('makes the SDK retry a call of %s', async (_, name, send) => {
    await startFaulty('throttle');
    // The SDK retries a status 400 only if it recognizes the error as throttling.
    await expect(send()).rejects.toMatchObject({ name, $metadata: { attempts: 2 } });
  });
});

describe('a time-out', () => {
  it('causes an immediate transport error in the SDK when the call was not executed', async () => {
    await startFaulty('timeout');
    await expect(put('lost', 2)).rejects.toMatchObject({
      message: expect.stringContaining(CUT),
      $metadata: { attempts: 2 },
    });
    expect(await exists('lost')).toBe(false);
  });

  it('causes a transport error in the SDK even when the call was executed', async () => {
    await startFaulty('executed-timeout');
    await expect(put('done')).rejects.toThrow(CUT);
    expect(await exists('done')).toBe(true);
  });
});

describe('a delay', () => {
  it('lasts 50 to 500 ms before the call is executed', async () => {
    await startFaulty('delay');
    const begin = performance.now();
    await put('late');
    const took = performance.now() - begin;
    const [fault] = await logged('delay');
    expect(fault?.ms).toBeGreaterThanOrEqual(50);
    expect(fault?.ms).toBeLessThanOrEqual(500);
    expect(took).toBeGreaterThanOrEqual((fault?.ms ?? 0) - 1);
    expect(await exists('late')).toBe(true);
  });
});

describe('a crash', () => {
  it('kills the caller before or after the call is executed', async () => {
    await startFaulty('crash');
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `crash-${letter}`);
    for (const id of ids) await expect(put(id)).rejects.toThrow(CUT);
    expect(crashed).toEqual(ids.map(() => 'session-1'));
    const faults = await logged('crash');
    expect(faults).toMatchObject(ids.map((_, n) => ({ site: SITE, n: n + 1, kind: 'crash' })));
    expect(new Set(faults.map(({ executed }) => executed))).toEqual(new Set([true, false]));
    expect(await Promise.all(ids.map(exists))).toEqual(faults.map(({ executed }) => executed));
  });
});

describe('the proxy', () => {
  it('injects no faults before `beginFaults`, and no faults into calls of the operator', async () => {
    await startFaulty('timeout', false);
    await put('early');
    proxy?.beginFaults(async () => undefined);
    await put('manual', 1, OPERATOR);
    await expect(put('refused')).rejects.toThrow();
  });
});

describe('the fault that is drawn for a call', () => {
  const plan = (text: string) => parseFaultPlan(text);
  const drawn = (draw: (site: string) => Draw, site: string) => Array.from({ length: 2_000 }, () => draw(site));

  it('is the same for the n-th call of a site, regardless of calls from other sites', () => {
    const alone = drawn(createDraws(plan('seed=7,each=0.1')), 'a');
    const draw = createDraws(plan('seed=7,each=0.1'));
    const among = alone.map(() => {
      draw('b');
      return draw('a');
    });
    expect(among).toEqual(alone);
    expect(alone.map(({ n }) => n).slice(0, 3)).toEqual([1, 2, 3]);
    expect(drawn(createDraws(plan('seed=8,each=0.1')), 'a')).not.toEqual(alone);
    expect(drawn(draw, 'c')).not.toEqual(alone);
  });

  it('does not occur at sites that `only` excludes, and is unchanged at the other sites', () => {
    const draw = createDraws(plan('seed=7,each=0.1,only=tables/deliv'));
    const site = 'role dynamodb:UpdateItem tables/deliveries';
    expect(drawn(draw, site)).toEqual(drawn(createDraws(plan('seed=7,each=0.1')), site));
    expect(drawn(draw, 'role dynamodb:UpdateItem tables/jobs').filter(({ kind }) => kind)).toEqual([]);
  });

  it('occurs at the configured rate', () => {
    const draws = drawn(createDraws(plan('seed=7,each=0.1,crash=0,delay=0.3')), 'a');
    const part = (kind: FaultKind) => draws.filter((one) => one.kind === kind).length / draws.length;
    expect(part('crash')).toBe(0);
    expect(part('delay')).toBeCloseTo(0.3, 1);
    for (const kind of ['throttle', 'timeout', 'executed-timeout'] as const) expect(part(kind)).toBeCloseTo(0.1, 1);
  });
});

describe('LOCAL_FAULTS', () => {
  it('sets a rate for all kinds, and different rates for single kinds', () => {
    const rates: FaultPlan['rates'] = {
      throttle: 0.05,
      timeout: 0.01,
      'executed-timeout': 0.01,
      delay: 0.01,
      crash: 0,
    };
    expect(parseFaultPlan('seed=42,each=0.01,throttle=.05,crash=0')).toEqual({ seed: 42, rates });
    expect(parseFaultPlan('crash=1,only=Deliver')).toMatchObject({ only: 'Deliver' });
    expect(parseFaultPlan('crash=1')).toMatchObject({ rates: { crash: 1, delay: 0 } });
  });

  it.each([
    ['each=2', 'each=2, which must be a number from 0 to 1'],
    ['each=1e-2', 'each=1e-2, which must be a number from 0 to 1'],
    ['throttle', 'throttle=, which must be a number from 0 to 1'],
    ['seed=-1,each=0.1', 'seed=-1, which must be a whole number from 0 to 4294967295'],
    ['each=0.1,only=', 'only=, which must be part of a role, an action or a resource'],
    ['seed=42', 'has no rate above 0'],
    ['each=0.3', 'has rates with a sum of 1.5, which must be at most 1'],
    ['each=0.1,', `has an empty part; it can have seed, only, each and ${faultKinds.join(', ')}`],
    ['outage=0.1', 'has outage; it can have seed, only, each and throttle'],
  ])('is refused with the reason: %s', (text, sentence) => {
    expect(() => parseFaultPlan(text)).toThrow(LocalError);
    expect(() => parseFaultPlan(text)).toThrow(sentence);
    expect(() => parseFaultPlan(text)).toThrow(/^LOCAL_FAULTS .*\. Example: seed=42,each=0\.01,crash=0$/);
  });
});
