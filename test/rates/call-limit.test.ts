/** Tests exact limits over the emulators, on a clock that the test moves. */
import { describe, expect, it } from '@jest/globals';
import { RATE_WINDOW, SECOND } from '../../core/limits.ts';
import { type CallerKind, limitOf, type Operation } from '../../core/operations/routes.ts';
import { withCallLimit } from '../../core/rates/call-limit.ts';
import { EndpointNotFound, TooManyRequests } from '../../core/requests/errors.ts';
import { useEmulatedDeployment } from '../support/use-emulated-deployment.ts';

/**
 * Maximum number of simultaneous calls. It is small, because the SDK allows a second for a connection and a busy
 * machine is slow.
 */
const CONNECTIONS = 20;

const noWork = async () => undefined;

const emulated = useEmulatedDeployment();

/** @returns undefined if the call was admitted, or else the number of seconds until the next call is admitted */
async function call(operation: Operation, endpoint: string, caller: CallerKind = 'key'): Promise<number | undefined> {
  try {
    await withCallLimit(emulated.ports, operation, { endpoint, caller }, noWork);
    return undefined;
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error;
    return error.retryAfter;
  }
}

const isAdmitted = async (operation: Operation, endpoint: string) => (await call(operation, endpoint)) === undefined;

/**
 * Makes calls at intervals in milliseconds.
 * @returns the number of admitted calls
 */
async function spaced(count: number, operation: Operation, endpoint: string, milliseconds: number): Promise<number> {
  let admitted = 0;
  for (let n = 0; n < count; n += 1) {
    if (await isAdmitted(operation, endpoint)) admitted += 1;
    emulated.clock.advance(milliseconds);
  }
  return admitted;
}

/**
 * Makes calls without moving the clock, as many at a time as may run.
 * @returns the number of admitted calls
 */
async function atOnce(count: number, operation: Operation, endpoint: string): Promise<number> {
  let [left, admitted] = [count, 0];
  const connection = async () => {
    while (left > 0) {
      left -= 1;
      if (await isAdmitted(operation, endpoint)) admitted += 1;
    }
  };
  await Promise.all(Array.from({ length: limitOf(operation).concurrent ?? CONNECTIONS }, connection));
  return admitted;
}

describe.each(['cancel', 'requests', 'purge-queue'] as const)('the limit of /%s', (operation) => {
  const { per10Seconds: number } = limitOf(operation);
  const endpointFor = async (name: string) => {
    const endpoint = `cl-${operation}-${name}`;
    await emulated.deploy(endpoint);
    return endpoint;
  };

  it('admits exactly its number of calls within a second', async () => {
    const endpoint = await endpointFor('second');
    expect(await spaced(number, operation, endpoint, SECOND / number)).toBe(number);
    expect(await spaced(2 * number, operation, endpoint, SECOND / number)).toBe(0);
  });

  it('admits exactly its number of simultaneous calls', async () => {
    const endpoint = await endpointFor('once');
    expect(await atOnce(3 * number, operation, endpoint)).toBe(number);
  });

  it('admits all calls that are evenly spaced', async () => {
    const endpoint = await endpointFor('even');
    expect(await spaced(2 * number, operation, endpoint, RATE_WINDOW / number)).toBe(2 * number);
  });

  it('returns the time until the next call, and admits calls after that time', async () => {
    const endpoint = await endpointFor('later');
    await spaced(number, operation, endpoint, 0);
    emulated.clock.advance(1_500);
    expect(await call(operation, endpoint)).toBe(9);
    emulated.clock.advance(8_499);
    expect(await call(operation, endpoint)).toBe(1);
    emulated.clock.advance(1);
    expect(await spaced(number + 1, operation, endpoint, 0)).toBe(number);
  });

  it('counts each endpoint separately', async () => {
    const [one, other] = [await endpointFor('one'), await endpointFor('other')];
    await spaced(number, operation, one, 0);
    expect(await isAdmitted(operation, one)).toBe(false);
    expect(await isAdmitted(operation, other)).toBe(true);
  });
});

describe('an exact limit', () => {
  it('counts calls of the console and of programs separately', async () => {
    await emulated.deploy('cl-pages');
    await spaced(10, 'requests', 'cl-pages', 0);
    expect(await isAdmitted('requests', 'cl-pages')).toBe(false);
    for (let n = 0; n < 100; n += 1) expect(await call('requests', 'cl-pages', 'user')).toBeUndefined();
    expect(await call('requests', 'cl-pages', 'user')).toBe(10);
    emulated.clock.advance(RATE_WINDOW);
    for (let n = 0; n < 100; n += 1) await call('requests', 'cl-pages', 'user');
    expect(await spaced(11, 'requests', 'cl-pages', 0)).toBe(10);
  });

  it('allows the console the same number of changes as other clients', async () => {
    await emulated.deploy('cl-purges');
    const purge = () => call('purge-queue', 'cl-purges', 'user');
    expect([await purge(), await purge(), await purge()]).toEqual([undefined, undefined, 10]);
  });

  it('counts each operation separately', async () => {
    await emulated.deploy('cl-operations');
    await spaced(2, 'purge-queue', 'cl-operations', 0);
    expect(await isAdmitted('purge-queue', 'cl-operations')).toBe(false);
    expect(await isAdmitted('cancel', 'cl-operations')).toBe(true);
  });

  it('names the endpoint, the number and the time in its refusal', async () => {
    await emulated.deploy('cl-words');
    await spaced(2, 'purge-queue', 'cl-words', 0);
    const refused = withCallLimit(emulated.ports, 'purge-queue', { endpoint: 'cl-words', caller: 'key' }, noWork);
    await expect(refused).rejects.toThrow(
      'Endpoint `cl-words` allows 2 `purge-queue` requests per 10 seconds. Try again in 10 s.',
    );
  });

  it('throws EndpointNotFound for an endpoint that does not exist', async () => {
    const refused = withCallLimit(emulated.ports, 'cancel', { endpoint: 'cl-nowhere', caller: 'key' }, noWork);
    await expect(refused).rejects.toThrow(EndpointNotFound);
  });
});
