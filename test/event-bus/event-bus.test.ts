/** Tests the adapter of EventBridge against the local one, through the proxy that checks signatures and permissions. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createEventBus } from '../../aws/event-bus/event-bus.ts';
import type { BusEvent } from '../../core/event-bus/bus-event.ts';
import { type AwsProxy, startAwsProxy } from '../../packages/emulator/aws-proxy/server.ts';
import { createEventsApi } from '../../packages/emulator/events/events-api.ts';
import { createPermissions } from '../../packages/emulator/iam/permissions.ts';
import { parsePolicy } from '../../packages/emulator/iam/statement.ts';
import { credentialsOf } from '../../packages/emulator/test/credentials.ts';

const BUS = 'arn:aws:events:us-east-1:000000000000:event-bus/default';
const nowhere = 'http://127.0.0.1:1';

let proxy: AwsProxy;
let put: object[] = [];

function useRole(role: string): void {
  const { accessKeyId, secretAccessKey, sessionToken } = credentialsOf(proxy, role);
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey });
  if (sessionToken === undefined) delete process.env.AWS_SESSION_TOKEN;
  else process.env.AWS_SESSION_TOKEN = sessionToken;
}

beforeEach(async () => {
  put = [];
  const permissions = createPermissions();
  for (const [role, Action] of [
    ['sender', 'events:PutEvents'],
    ['stranger', 'events:PutRule'],
  ] as const) {
    permissions.addRole(role);
    const Statement = [{ Effect: 'Allow' as const, Action, Resource: BUS }];
    permissions.attach(role, parsePolicy({ Version: '2012-10-17', Statement }, 'policy', 'identity'));
  }
  proxy = await startAwsProxy({
    emulators: { dynamodbUrl: nowhere, sqsUrl: nowhere, s3Url: nowhere },
    permissions,
    tables: new Map(),
    services: new Map([['events', createEventsApi({ put: () => undefined }, (event) => put.push(event))]]),
    notify: () => undefined,
  });
  Object.assign(process.env, { AWS_ENDPOINT_URL: proxy.url, AWS_REGION: 'us-east-1' });
  useRole('sender');
});

afterEach(() => proxy.stop());

const eventNamed = (endpoint: string): BusEvent => ({
  type: 'Endpoint Budget Changed',
  at: 1_900_000_000_000,
  detail: {
    id: '0123456789abcdef',
    deployment: 'gpu-endpoints',
    endpoint,
    at: '2030-03-17T17:46:40.000Z',
    to: 'SPENT',
  },
});

describe('the adapter of EventBridge', () => {
  it('puts events in order, ten in a call', async () => {
    const events = Array.from({ length: 23 }, (_, n) => eventNamed(`e${n}`));
    await createEventBus(BUS).put(events);
    expect(put).toEqual(
      events.map(({ detail }) => ({
        source: 'gpu-endpoints',
        'detail-type': 'Endpoint Budget Changed',
        detail,
        resources: [],
      })),
    );
  });

  it('fails if EventBridge refuses an event, the call or the role', async () => {
    const other = BUS.replace('default', 'other');
    await expect(createEventBus(BUS).put([{ ...eventNamed('a'), type: '' as never }])).rejects.toThrow(
      'PutEvents does not accept this Entries.0.DetailType here.',
    );
    useRole('stranger');
    await expect(createEventBus(BUS).put([eventNamed('a')])).rejects.toThrow(/not authorized/);
    await expect(createEventBus(other).put([eventNamed('a')])).rejects.toThrow(/not authorized/);
    useRole('sender');
    await expect(createEventBus(other).put([eventNamed('a')])).rejects.toThrow(
      'EventBridge did not accept 1 of 1 events: ResourceNotFoundException.',
    );
    expect(put).toEqual([]);
  });
});
