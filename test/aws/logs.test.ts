/** Tests the adapter that reads the logs of workers, over the emulated CloudWatch Logs. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogs } from '../../aws/logs/logs.ts';
import type { LogQuery } from '../../core/logs/store.ts';
import { LogsBusy } from '../../core/requests/errors.ts';
import { AwsFault } from '../../packages/emulator/aws-proxy/aws-fault.ts';
import type { JsonService } from '../../packages/emulator/aws-proxy/json-service.ts';
import { createLogGroups } from '../../packages/emulator/logs/log-groups.ts';
import { createLogsApi } from '../../packages/emulator/logs/logs-api.ts';
import { type SmallProxy, startSmallProxy } from '../../packages/emulator/test/aws-proxy/small-proxy.ts';

const MINUTE = 60_000;
let now = 1_000_000;
const groups = createLogGroups(() => now, 2 * 1024 * 1024);
const api = createLogsApi(groups);
let isBusy = false;
const service: JsonService = {
  ...api,
  async call(...args) {
    if (isBusy) throw new AwsFault(400, 'ThrottlingException', 'Rate exceeded');
    return api.call(...args);
  },
};
let small: SmallProxy;

/** Returns the adapter with the credentials of a role. */
function logsOf(role: string) {
  Object.assign(process.env, small.proxy.environment(role, 's'), { AWS_MAX_ATTEMPTS: '1' });
  return createLogs();
}

const group = 'Endpoint-echo-WorkersLogs0C1D2E3F';
const allowed = 'arn:aws:logs:us-east-1:000000000000:log-group:Endpoint-*-WorkersLogs*';
const query: LogQuery = { group, worker: 't1', source: 'worker', from: 0, enough: 100 };

beforeAll(async () => {
  small = await startSmallProxy(new Map([['logs', service]]));
  small.role('reader', { Effect: 'Allow', Action: 'logs:FilterLogEvents', Resource: allowed });
  for (const name of [group, 'Platform-JobsRunLogs0C1D2E3F']) groups.declare(name, 10 * MINUTE);
});
afterAll(() => small.stop());

describe('logs', () => {
  it('can be read by group, container, task, time and text, the oldest first', async () => {
    const logs = logsOf('reader');
    const worker = groups.open(group, 'worker/worker/t1');
    const [agent, other] = ['agent/agent/t1', 'worker/worker/t2'].map((stream) => groups.open(group, stream));
    for (const word of ['one', 'two', 'three', 'four']) {
      now += 10;
      worker(word);
      agent?.(`agent ${word}`);
      other?.(`other ${word}`);
    }
    const texts = async (more: Partial<LogQuery>) =>
      (await logs.read({ ...query, ...more })).lines.map(({ message }) => message);
    expect(await texts({})).toEqual(['one', 'two', 'three', 'four']);
    expect(await texts({ source: 'agent', containing: 't' })).toEqual([
      'agent one',
      'agent two',
      'agent three',
      'agent four',
    ]);
    expect(await texts({ from: now - 20, until: now - 10 })).toEqual(['two', 'three']);
    expect(await texts({ from: now, until: now - 10 })).toEqual([]);
    expect(await texts({ containing: 'o' })).toEqual(['one', 'two', 'four']);
    expect(await texts({ worker: 't3' })).toEqual([]);
    expect(await texts({ group: 'Endpoint-gone-WorkersLogs0C1D2E3F' })).toEqual([]);
    expect(await logs.read({ ...query, enough: 4 })).toMatchObject({ complete: true });
    expect(await logs.read({ ...query, enough: 3 })).toMatchObject({ complete: false, lines: [{}, {}, {}] });
    expect((await logs.read(query)).lines[0]).toEqual({ time: now - 30, message: 'one' });
  });

  it('can be read for all workers of an endpoint, in the order of their times and with their workers', async () => {
    const logs = logsOf('reader');
    const from = now + 1;
    for (const worker of ['t5', 't6', 't5']) {
      now += 10;
      groups.open(group, `worker/worker/${worker}`)(`of ${worker}`);
      groups.open(group, `agent/agent/${worker}`)('agent');
    }
    const all = { group, source: 'worker', from, until: now, enough: 100 } as const;
    const workersOf = async (more: object) =>
      (await logs.readAll({ ...all, ...more })).lines.map(({ worker }) => worker);
    expect(await workersOf({})).toEqual(['t5', 't6', 't5']);
    expect(await workersOf({ worker: 't6' })).toEqual(['t6']);
    expect(await workersOf({ until: now - 10 })).toEqual(['t5', 't6']);
    expect(await workersOf({ group: 'Endpoint-gone-WorkersLogs0C1D2E3F' })).toEqual([]);
    expect(await logs.readAll({ ...all, enough: 2 })).toMatchObject({
      complete: false,
      lines: [{ message: 'of t5' }, {}],
    });
  });

  it('are read over several pages of AWS with one megabyte each', async () => {
    const large = groups.open(group, 'worker/worker/large');
    for (let n = 0; n < 15; n += 1) large(`${n} ${'x'.repeat(100_000)}`);
    const { lines, complete } = await logsOf('reader').read({ ...query, worker: 'large' });
    expect(complete).toBe(true);
    expect(lines.map(({ message }) => Number.parseInt(message, 10))).toEqual(Array.from({ length: 15 }, (_, n) => n));
  });

  it('can be read only by a role with permission for their group', async () => {
    const logs = logsOf('reader');
    await expect(logs.read({ ...query, group: 'Platform-JobsRunLogs0C1D2E3F' })).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    await expect(logsOf(small.role('other')).read(query)).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  it('cannot be read while AWS throttles the calls, which causes the error LogsBusy', async () => {
    isBusy = true;
    await expect(logsOf('reader').read(query)).rejects.toThrow(LogsBusy);
    isBusy = false;
  });
});
