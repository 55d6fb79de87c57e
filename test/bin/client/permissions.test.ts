/** Tests the table of what a key needs for each command, against the calls that the commands make. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Command } from 'commander';
import { needs } from '../../../bin/client/permissions.ts';
import { createProgram } from '../../../bin/program.ts';
import {
  isForAll,
  jobRoutes,
  managementRoutes,
  type Operation,
  PATH_PARAMETER,
  type Route,
  scopeOf,
  stages,
} from '../../../core/operations/routes.ts';
import { KEY, type StubService, stubService } from './stub-service.ts';

const JOB = 'j'.repeat(36);
const INPUT = ['--input', '{}'];
const FIELDS = ['--fields', '{}'];

/** The commands of each row of the table. */
const commands: Readonly<Record<string, readonly (readonly string[])[]>> = {
  run: [['run', 'chat', ...INPUT]],
  'run --wait': [['run', 'chat', ...INPUT, '--wait']],
  'run --stream': [['run', 'chat', ...INPUT, '--stream']],
  'jobs ls': [['jobs', 'ls', 'chat']],
  'jobs ls --since': [['jobs', 'ls', '--since', '1h']],
  'jobs ls --group-by': [['jobs', 'ls', '--group-by', 'error']],
  'jobs get': [['jobs', 'get', JOB]],
  'jobs get --wait': [['jobs', 'get', JOB, '--wait']],
  'jobs get --stream': [['jobs', 'get', JOB, '--stream']],
  'jobs cancel': [['jobs', 'cancel', JOB]],
  'jobs retry': [['jobs', 'retry', JOB]],
  'jobs retry --wait': [['jobs', 'retry', JOB, '--wait']],
  logs: [['logs', 'chat']],
  'logs --worker': [['logs', 'chat', '--worker', 'ab']],
  'logs --start': [['logs', 'chat', '--start']],
  'logs --job': [['logs', 'chat', '--job', JOB]],
  'endpoints ls': [['endpoints', 'ls']],
  'endpoints get': [['endpoints', 'get', 'chat']],
  'endpoints series': [['endpoints', 'series', 'chat']],
  'cost actual': [['cost', 'actual']],
  'endpoints events': [['endpoints', 'events', 'chat']],
  'endpoints purge': [['endpoints', 'purge', 'chat', '--yes']],
  'workers ls': [['workers', 'ls', 'chat']],
  'workers ls --all': [['workers', 'ls', 'chat', '--all']],
  'alarms ls': [['alarms', 'ls']],
  'releases ls': [['releases', 'ls', 'chat']],
  'releases rollback': [['releases', 'rollback', 'chat']],
  'templates ls, get': [
    ['templates', 'ls'],
    ['templates', 'get', 'chat'],
  ],
  'templates create, update, delete': [
    ['templates', 'create', ...FIELDS],
    ['templates', 'update', 'chat', ...FIELDS],
    ['templates', 'delete', 'chat'],
  ],
  'webhooks ls': [['webhooks', 'ls', 'chat']],
  'webhooks resend': [['webhooks', 'resend', 'chat', '--job', JOB]],
};

/** Commands with a profile that call no operation, or those that the user chooses. */
const others = ['open', 'mcp', 'verify'];

/** The members that commands read, of all answers in one. */
const answer = {
  id: JOB,
  endpoint: 'chat',
  status: 'COMPLETED',
  delayTime: 0,
  executionTime: 0,
  template: { id: 'chat' },
  health: { jobs: {}, workers: {} },
  jobs: [],
  requests: [],
  lines: [],
  points: [],
  step: 'hour',
  costs: [],
  total: { unpricedTime: 0 },
  failures: [],
  alarms: [],
  events: [],
  webhooks: [],
  templates: [],
  endpoints: [{ id: 'chat', health: { jobs: {}, workers: {} } }],
  workers: [{ id: 'ab'.padEnd(32, '0'), jobs: [] }],
  releases: [
    { state: 'DEPLOYED', revision: 2 },
    { state: 'SUPERSEDED', revision: 1 },
  ],
  restores: { revision: 1, version: 1 },
};

const operationOf = (request: string): Operation | undefined => {
  const [method, path = ''] = request.split(' ');
  const { pathname } = new URL(path, 'http://service');
  const [, stage, below = ''] = /^\/(v\d)(.*)$/.exec(pathname) ?? [];
  const routes: Readonly<Record<string, Route>> = stage === stages.jobs ? jobRoutes : managementRoutes;
  const [name] =
    Object.entries(routes).find(
      ([, route]) =>
        route.methods.some((allowed) => allowed === method) &&
        new RegExp(`^${route.path.replace(PATH_PARAMETER, '[^/]+')}$`).test(below),
    ) ?? [];
  return name as Operation | undefined;
};

let service: StubService;

beforeAll(async () => {
  service = await stubService((path) => (path.includes('/stream/') ? [] : answer));
  process.env.GPU_ENDPOINTS_URL = service.url;
  process.env.GPU_ENDPOINTS_KEY = KEY;
});
beforeEach(() => {
  for (const method of ['log', 'error'] as const) jest.spyOn(console, method).mockImplementation(() => undefined);
});
afterAll(() => {
  delete process.env.GPU_ENDPOINTS_URL;
  delete process.env.GPU_ENDPOINTS_KEY;
  jest.restoreAllMocks();
  service.close();
});

async function operationsOf(args: readonly string[]): Promise<readonly (Operation | undefined)[]> {
  const before = service.requests.length;
  await createProgram().parseAsync(['node', 'gpu-endpoints', ...args]);
  return service.requests.slice(before).map(operationOf);
}

describe('the table of what a key needs', () => {
  it.each(Object.keys({ ...needs, ...commands }))('has the calls of %s', async (row) => {
    const called: (Operation | undefined)[] = [];
    for (const args of commands[row] ?? []) called.push(...(await operationsOf(args)));
    const known = called.filter((name): name is Operation => name !== undefined && !isForAll(name));
    expect(known).toHaveLength(called.length);
    const { operations, scopes } = needs[row] ?? {};
    expect(new Set(known.filter((name) => !scopeOf(name)))).toEqual(new Set(operations));
    expect(new Set(known.flatMap((name) => scopeOf(name) ?? []))).toEqual(new Set(scopes));
  });

  it('has all commands that call a deployment with a key', () => {
    const leaves = (command: Command, words: readonly string[]): readonly string[] =>
      command.commands.length > 0
        ? command.commands.flatMap((child) => leaves(child, [...words, child.name()]))
        : command.options.some(({ description }) => description.startsWith('profile of `login`'))
          ? [words.join(' ')]
          : [];
    const called = Object.values(commands).flatMap((rows) => rows.map((args) => args.join(' ')));
    const unlisted = leaves(createProgram(), []).filter((name) => !called.some((args) => args.startsWith(name)));
    expect(unlisted).toEqual(others);
  });
});
