/** Tests the local CloudWatch Logs, and the containers that print to it. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  CloudWatchLogsClient,
  DescribeLogGroupsCommand,
  FilterLogEventsCommand,
  type FilterLogEventsCommandInput,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startContainer } from '../../ecs/container.ts';
import { createLogGroups } from '../../logs/log-groups.ts';
import { createLogsApi } from '../../logs/logs-api.ts';
import { type SmallProxy, startSmallProxy } from '../aws-proxy/small-proxy.ts';
import { credentialsOf } from '../credentials.ts';
import { eventually, newFolder } from '../small-service.ts';

const MINUTE = 60_000;
let now = 1_000_000;
const groups = createLogGroups(() => now, 2 * 1024 * 1024);
let small: SmallProxy;

const group = 'Notes-Logs0C1D2E3F';
const otherGroup = 'Other-Logs0C1D2E3F';

const clientOf = (role: string) =>
  new CloudWatchLogsClient({
    region: 'us-east-1',
    endpoint: small.proxy.url,
    credentials: credentialsOf(small.proxy, role),
    maxAttempts: 1,
  });

/** Returns the messages of one stream, page by page. */
async function pagesOf(stream: string | undefined, more: Partial<FilterLogEventsCommandInput> = {}, role = 'reader') {
  const pages = paginateFilterLogEvents(
    { client: clientOf(role) },
    { logGroupName: group, ...(stream !== undefined && { logStreamNames: [stream] }), ...more },
  );
  const found: string[][] = [];
  for await (const { events = [] } of pages) found.push(events.map(({ message = '' }) => message));
  return found;
}

const read = async (...query: Parameters<typeof pagesOf>) => (await pagesOf(...query)).flat();

beforeAll(async () => {
  small = await startSmallProxy(new Map([['logs', createLogsApi(groups)]]));
  const allowed = 'arn:aws:logs:us-east-1:000000000000:log-group:Notes-*';
  small.role('reader', { Effect: 'Allow', Action: 'logs:FilterLogEvents', Resource: allowed });
  for (const name of [group, otherGroup]) groups.declare(name, 10 * MINUTE);
});
afterAll(() => small.stop());

describe('logs', () => {
  it('can be read by group, stream, time and text, the oldest first', async () => {
    const [main, side] = ['main/main/t1', 'side/side/t1'].map((stream) => groups.open(group, stream));
    for (const word of ['one', 'two', 'three', 'four']) {
      now += 10;
      main?.(word);
      side?.(`side ${word}`);
    }
    expect(await read('main/main/t1')).toEqual(['one', 'two', 'three', 'four']);
    expect(await read('side/side/t1', { filterPattern: '"t"' })).toEqual(['side two', 'side three']);
    expect(await read('main/main/t1', { startTime: now - 20, endTime: now - 10 })).toEqual(['two', 'three']);
    expect(await read('main/main/t1', { filterPattern: '"o"' })).toEqual(['one', 'two', 'four']);
    expect(await read(undefined, { logStreamNamePrefix: 'main/main/' })).toEqual(['one', 'two', 'three', 'four']);
    expect(await read(undefined, { logStreamNamePrefix: 'm', limit: 1 })).toEqual(['one', 'two', 'three', 'four']);
    expect(await read(undefined, { logStreamNamePrefix: 'none' })).toEqual([]);
    for (const missing of [read('main/main/t3'), read('main/main/t1', { logGroupName: 'Notes-Gone' })])
      await expect(missing).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it('have pages of at most one megabyte', async () => {
    const large = groups.open(group, 'large');
    for (let n = 0; n < 15; n += 1) large(`${n} ${'x'.repeat(100_000)}`);
    const pages = await pagesOf('large');
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(page.join('').length).toBeLessThanOrEqual(1024 * 1024);
    expect(pages.flat().map((message) => Number.parseInt(message, 10))).toEqual(
      Array.from({ length: 15 }, (_, n) => n),
    );
  });

  it('are retained for the period of their group, but a large stream retains only its newest lines', async () => {
    const loud = groups.open(group, 'loud');
    for (let n = 0; n < 300; n += 1) loud(`${n} ${'x'.repeat(20_000)}`);
    const lines = await read('loud');
    expect(lines.at(-1)).toMatch(/^299 /);
    expect(lines.length).toBeGreaterThan(40);
    expect(lines.length).toBeLessThan(110);
    now += 10 * MINUTE;
    expect(await read('loud')).toHaveLength(lines.length);
    now += 1;
    expect(await read('loud')).toEqual([]);
  });

  it('can be read only by a role with permission for their group', async () => {
    const denied = { name: 'AccessDeniedException' };
    await expect(read('main/main/t1', { logGroupName: otherGroup })).rejects.toMatchObject(denied);
    await expect(read('main/main/t1', {}, small.role('stranger'))).rejects.toMatchObject(denied);
  });

  it('are accessible only with fully supported operations and parameters', async () => {
    const client = clientOf('operator');
    const nameOf = (call: Promise<unknown>) => call.then(String, (error: Error) => error.name);
    const wrong = [{ filterPattern: '{ $.a = 1 }' }, { logStreamNamePrefix: 'main' }, { limit: 20_000 }];
    for (const each of wrong) {
      const command = new FilterLogEventsCommand({ logGroupName: group, logStreamNames: ['a'], ...each });
      expect(await nameOf(client.send(command))).toBe('InvalidParameterException');
    }
    expect(await nameOf(client.send(new DescribeLogGroupsCommand({})))).toBe('UnknownOperationException');
  });
});

describe('the output of a container', () => {
  it('is in its file, and line by line in its stream, including a last line without a line break', async () => {
    const folder = newFolder();
    const log = join(folder, 'log');
    const lines: string[] = [];
    const script = `
      process.stdout.write('one\\n\\ntwo\\r\\n€');
      process.stderr.write('x'.repeat(300_000) + '\\n');
      require('node:child_process').spawnSync('echo', ['of a child'], { stdio: 'inherit' });
      process.stdout.write('the end');`;
    const command = ['node', '-e', script] as const;
    const environment = { PATH: process.env.PATH ?? '' };
    const container = startContainer({ command, folder, environment, log, print: (line) => void lines.push(line) });
    expect(await container.ended).toMatchObject({ exitCode: 0 });
    await eventually('the last line has arrived', () => lines.includes('the end'));
    const [long, short] = lines.filter((line) => line.startsWith('x')).map(({ length }) => length);
    expect(lines.filter((line) => !line.startsWith('x'))).toEqual(['one', 'two', '€of a child', 'the end']);
    expect([long, short]).toEqual([256 * 1024 - 26, 300_000 - 256 * 1024 + 26]);
    expect(readFileSync(log).length).toBe(300_000 + 'one\n\ntwo\r\n€...of a child\nthe end'.length);
    rmSync(folder, { recursive: true, force: true });
  });
});
