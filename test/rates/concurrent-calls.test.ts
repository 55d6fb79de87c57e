/** Tests the exact limits of concurrent calls over the emulators, on a clock that the test moves. */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { createDocumentClient } from '../../aws/clients.ts';
import { portsWith } from '../../aws/ports.ts';
import { createCallCounts } from '../../aws/rates/call-counts.ts';
import { RATE_WINDOW } from '../../core/limits.ts';
import type { CallerKind } from '../../core/operations/routes.ts';
import { callTimeouts } from '../../core/operations/table.ts';
import { withCallLimit } from '../../core/rates/call-limit.ts';
import { EndpointNotFound, TooManyRequests } from '../../core/requests/errors.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

const emulated = useEmulatedDeployment();

/** Number of processes that serve the calls in turn, as several executions of a function do. */
const PROCESSES = 3;
const processes = Array.from({ length: PROCESSES }, () =>
  portsWith(emulated.ports, { callCounts: createCallCounts(createDocumentClient(), 'ENDPOINTS_TABLE') }),
);
let calls = 0;

type Limited = 'cancel' | 'requests';

interface Begun {
  readonly isRunning: boolean;
  /**
   * Ends the work of the call.
   * @returns when the call has returned
   */
  end(error?: Error): Promise<unknown>;
}

/**
 * Begins a call whose work lasts until the test ends it.
 * @returns the call once it runs or is refused
 */
async function begin(operation: Limited, endpoint: string, caller: CallerKind = 'key'): Promise<Begun> {
  const work = Promise.withResolvers<void>();
  const runs = Promise.withResolvers<true>();
  calls += 1;
  const ports = processes[calls % PROCESSES];
  if (!ports) throw new Error('There is no process.');
  const returned = withCallLimit(ports, operation, { endpoint, caller }, () => {
    runs.resolve(true);
    return work.promise;
  });
  const refused = returned.then(
    () => false,
    (error: unknown) => {
      if (!(error instanceof TooManyRequests)) throw error;
      return false;
    },
  );
  const isRunning = await Promise.race([runs.promise, refused]);
  return {
    isRunning,
    end(error) {
      if (error) work.reject(error);
      else work.resolve();
      return returned.catch((thrown: unknown) => thrown);
    },
  };
}

const running = (begun: readonly Begun[]) => begun.filter(({ isRunning }) => isRunning);

/** Begins calls, 20 at a time: a busy machine is slow, and the SDK allows a second for a connection. */
async function beginMany(count: number, operation: Limited, endpoint: string): Promise<Begun[]> {
  const begun: Begun[] = [];
  for (let left = count; left > 0; left -= 20)
    begun.push(...(await Promise.all(Array.from({ length: Math.min(20, left) }, () => begin(operation, endpoint)))));
  return begun;
}

describe.each([
  ['cancel', 20, 60],
  ['requests', 2, 10],
] as const)('concurrent calls of /%s', (operation, max, offered) => {
  const endpointFor = async (name: string) => {
    const endpoint = `cc-${operation}-${name}`;
    await emulated.deploy(endpoint);
    return endpoint;
  };

  it(`run ${max} at a time, of ${offered} that are sent together`, async () => {
    const endpoint = await endpointFor('together');
    const begun = running(await beginMany(offered, operation, endpoint));
    expect(begun).toHaveLength(max);
    await Promise.all(begun.map(({ end }) => end()));
  });

  it.each([
    ['succeeded', undefined],
    ['failed', new EndpointNotFound('e')],
  ])('leave their slots to others after they have %s, and not earlier', async (_, error) => {
    const endpoint = await endpointFor(error ? 'failed' : 'succeeded');
    const begun = running(await beginMany(max, operation, endpoint));
    expect((await begin(operation, endpoint)).isRunning).toBe(false);
    expect(await begun.pop()?.end(error)).toBe(error);
    const next = await begin(operation, endpoint);
    expect([next.isRunning, (await begin(operation, endpoint)).isRunning]).toEqual([true, false]);
    await Promise.all([...begun, next].map(({ end }) => end()));
  });

  it('leave their slots to others when the timeout of a crashed function is over, in whatever window', async () => {
    const endpoint = await endpointFor('crashed');
    const crashed = running(await beginMany(max, operation, endpoint));
    emulated.clock.advance(callTimeouts[operation] - 1);
    expect((await begin(operation, endpoint)).isRunning).toBe(false);
    emulated.clock.advance(1);
    const next = running(await beginMany(max + 1, operation, endpoint));
    expect(next).toHaveLength(max);
    await Promise.all([...crashed, ...next].map(({ end }) => end()));
  });

  it('are not counted in the window if they are refused', async () => {
    const endpoint = await endpointFor('refused');
    const begun = await beginMany(max, operation, endpoint);
    await beginMany(offered, operation, endpoint);
    await Promise.all(begun.map(({ end }) => end()));
    const { Item } = await createDocumentClient().send(
      new GetCommand({ TableName: 'ENDPOINTS_TABLE', Key: { endpoint, item: `calls#${operation}` } }),
    );
    expect(Item).toEqual({ endpoint, item: `calls#${operation}`, began: emulated.clock.now(), calls: max });
  });

  it('are refused with the operation, the limit and the time to wait', async () => {
    const endpoint = await endpointFor('words');
    const begun = await beginMany(max, operation, endpoint);
    const refused = withCallLimit(emulated.ports, operation, { endpoint, caller: 'key' }, async () => undefined);
    await expect(refused).rejects.toThrow(
      `Endpoint \`${endpoint}\` allows ${max} \`${operation}\` requests at the same time. Try again in 1 s.`,
    );
    await Promise.all(begun.map(({ end }) => end()));
  });
});

describe('a limit of concurrent calls', () => {
  it('counts pages of the console separately, and admits as many as their rate allows in proportion', async () => {
    await emulated.deploy('cc-pages');
    const begun = running(await beginMany(3, 'requests', 'cc-pages'));
    const pages = await Promise.all(Array.from({ length: 21 }, () => begin('requests', 'cc-pages', 'user')));
    expect([begun.length, running(pages).length]).toEqual([2, 20]);
    await Promise.all([...begun, ...pages].map(({ end }) => end()));
  });

  it('keeps the slots of calls that run into the next window', async () => {
    await emulated.deploy('cc-window');
    const begun = running(await beginMany(2, 'requests', 'cc-window'));
    emulated.clock.advance(RATE_WINDOW);
    expect((await begin('requests', 'cc-window')).isRunning).toBe(false);
    await Promise.all(begun.map(({ end }) => end()));
    expect((await begin('requests', 'cc-window')).isRunning).toBe(true);
  });
});
