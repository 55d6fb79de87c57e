/**
 * `npm run bench -w packages/lab -- streams`: measures how long the events of streams take from their creation to their
 * readers.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pythonWithSdk } from '../../../../test/acceptance/workers/python.ts';
import { type Service, startService } from '../../../../test/support/service.ts';
import { openCallLog } from '../calls/call-log.ts';
import { report } from '../command.ts';
import { type Clients, createClients } from '../waiting-calls/clients.ts';
import { type Measured, rowsOf } from './figures.ts';
import { HELP, type Options, readOptions } from './options.ts';
import { faultIn, readAsOpenAi, readAsRunPod } from './reader.ts';

const ENDPOINT = 'echo-sdk';
/** Time limit for the worker to start on a busy machine, in milliseconds. */
const START_LIMIT = 120_000;
/** Number of short streams before the measured streams, which load all code. */
const WARM_UP = { streams: 2, seconds: 1 } as const;

/**
 * Runs the worker instead of the endpoint's own.
 * @returns a function that stops the worker
 */
async function attachWorker({ callLog }: Service): Promise<() => Promise<void>> {
  const python = await pythonWithSdk();
  const command = ['--', python, join(import.meta.dirname, 'worker.py')];
  const env = {
    ...process.env,
    LOCAL_STATE_DIR: dirname(callLog),
    INIT_CWD: process.cwd(),
    RUNPOD_DEBUG_LEVEL: 'ERROR',
  };
  const child = spawn(process.execPath, ['bin/cli.ts', 'worker', '--endpoint', ENDPOINT, ...command], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (text) => {
    printed += String(text);
  });
  const ended = once(child, 'close');
  for (const deadline = Date.now() + START_LIMIT; !printed.includes('is worker'); await delay(50))
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The worker did not start:\n${printed}`);
  return async () => {
    child.kill('SIGINT');
    await ended;
  };
}

async function measure(
  clients: Clients,
  service: Service,
  { by, streams, seconds, rate }: Omit<Options, 'help' | 'streams'> & { readonly streams: number },
): Promise<Measured> {
  const log = openCallLog(service.callLog);
  const before = log.read().length;
  const count = seconds * rate;
  const all = await Promise.all(
    Array.from({ length: streams }, async () => {
      const course = { events: count, perSecond: rate };
      const { job, events } = await (by === 'openai'
        ? readAsOpenAi(service, ENDPOINT, course)
        : readAsRunPod(clients, ENDPOINT, course));
      return { events, fault: faultIn(job, count, events) };
    }),
  );
  const calls = log.read().slice(before);
  log.close();
  const faults = all.flatMap(({ fault }) => fault ?? []);
  return { streams, seconds, events: all.map(({ events }) => events), faults, calls };
}

async function measureAll(service: Service, { by, streams, seconds, rate }: Options): Promise<boolean> {
  const clients = createClients(service);
  const detach = await attachWorker(service);
  try {
    report('A short stream, which loads all code ...');
    await measure(clients, service, { by, ...WARM_UP, rate });
    let isMet = true;
    for (const number of streams) {
      report(`${number} x ${rate} events a second for ${seconds} s ...`);
      const rows = rowsOf(await measure(clients, service, { by, streams: number, seconds, rate }));
      for (const { what, value } of rows) console.log(`${what.padEnd(42)} ${value}`);
      isMet &&= rows.every((row) => row.isMet ?? true);
    }
    return isMet;
  } finally {
    clients.stop();
    await detach();
  }
}

export async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options.help) return void console.log(HELP);
  report('Starting the service ...');
  const service = await startService();
  try {
    if (!(await measureAll(service, options))) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}
