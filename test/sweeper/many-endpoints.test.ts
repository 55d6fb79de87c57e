/** Tests sweeps of hundreds of endpoints: their calls, their order, and the calls of ECS. */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { OnClient } from '../../aws/clients.ts';
import { portsWith } from '../../aws/ports.ts';
import { createSecretPorts } from '../../aws/secret-ports.ts';
import { createServices } from '../../aws/workers/services.ts';
import { MINUTE, SWEEP } from '../../core/limits.ts';
import { inRotation, sweep } from '../../core/sweeper/sweep.ts';
import { noReleases } from '../releases/no-releases.ts';
import { startStopwatch } from '../runner/stopwatch.ts';
import { withConstantSignature } from '../support/constant-signature.ts';
import { endpointConfig } from '../support/endpoint-config.ts';
import { recordServices } from '../support/recorded-services.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const ENDPOINTS = 500;
const emulated = useEmulatedDeployment();
const urls: [string, string] = ['http://127.0.0.1/even', 'http://127.0.0.1/odd'];

/** Names of the calls of the ports below. */
const calls: string[] = [];

/** Adds each call of DynamoDB to `calls`. */
const recordCalls: OnClient = (client) => {
  withConstantSignature(client);
  if (!(client instanceof DynamoDBDocumentClient)) return;
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        calls.push(commandName);
        return next(args);
      },
    { step: 'build', name: 'recordCalls' },
  );
};

const portsFor = () =>
  portsWith(createSecretPorts({ clock: emulated.clock, onClient: recordCalls }), {
    ...noReleases(),
    deliveryStarts: emulated.ports.deliveryStarts,
    expiryTimers: emulated.ports.expiryTimers,
    services: recordServices(),
  });

describe(`a sweep of ${ENDPOINTS} endpoints without jobs`, () => {
  beforeAll(async () => {
    for (let n = 0; n < ENDPOINTS; n += 1)
      await emulated.ports.endpoints.register(
        endpointConfig(`e${n}`, { normalQueueUrls: urls, lowQueueUrls: urls, executionTimeout: MINUTE }),
      );
  }, MINUTE);

  it(
    'makes at most four calls for each endpoint, and takes less than a minute',
    async () => {
      const ports = portsFor();
      // The first sweep also counts all jobs, which later sweeps do once a day.
      await sweep(ports);
      emulated.clock.advance(SWEEP);
      calls.length = 0;
      const watch = startStopwatch();
      expect(await sweep(ports)).toMatchObject({ failed: {} });
      watch.stop();
      expect(watch.milliseconds()).toBeLessThan(MINUTE);
      const counts = Map.groupBy(calls, (name) => name);
      expect(Object.fromEntries([...counts].map(([name, those]) => [name, those.length / ENDPOINTS]))).toEqual({
        ScanCommand: 1 / ENDPOINTS,
        QueryCommand: 3,
      });
    },
    2 * MINUTE,
  );
});

describe('the order of a sweep', () => {
  const items = Array.from({ length: 100 }, (_, n) => n);

  it('contains each endpoint once', () => {
    expect(inRotation(items, 7 * SWEEP).toSorted((a, b) => a - b)).toEqual(items);
    expect(inRotation([], 7 * SWEEP)).toEqual([]);
  });

  it('begins elsewhere each minute, so that five sweeps that stop halfway reach every endpoint', () => {
    for (let minute = 0; minute < 1_000; minute += 1) {
      const reached = [0, 1, 2, 3, 4].flatMap((later) => inRotation(items, (minute + later) * SWEEP).slice(0, 50));
      expect(new Set(reached).size).toBe(items.length);
    }
  });
});

describe('the numbers of workers of many services', () => {
  const stops: (() => void)[] = [];
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });

  it('are read from ECS ten at a time, without those of services that do not exist', async () => {
    const asked: number[] = [];
    const server = createServer(async (request, response) => {
      const { cluster, services } = (await json(request)) as { cluster: string; services: string[] };
      asked.push(services.length);
      const found = services.filter((name) => name !== 's3');
      response.end(
        JSON.stringify({ services: found.map((name) => ({ serviceName: name, desiredCount: name.length, cluster })) }),
      );
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    stops.push(() => server.close());
    process.env.AWS_ENDPOINT_URL_ECS = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    const names = Array.from({ length: 23 }, (_, n) => ({ cluster: 'fleet', service: `s${n}` }));
    const counts = await createServices().desiredOf(names);
    expect(asked).toEqual([10, 10, 3]);
    expect([counts.size, counts.get('s2'), counts.get('s22'), counts.get('s3')]).toEqual([22, 2, 3, undefined]);
  });
});
