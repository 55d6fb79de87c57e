/**
 * The kill matrix: whoever dies, or stands still for longer than its lease, in whatever phase of a job: nothing that was
 * acknowledged is lost, one effect of every job counts, and the queue behind moves on.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endMarkedProcesses } from '../../local/processes.ts';
import { type Cell, cells, nameOf } from './kill/cells.ts';
import { type Endpoint, openEndpoints, synthesizeEndpoints } from './kill/endpoints.ts';
import type { Place } from './kill/place.ts';
import { killEveryAttempt } from './kill/poison.ts';
import { type WorkerProcesses, watchProcesses } from './kill/processes.ts';
import { type Outcome, runCell } from './kill/run.ts';
import { type LocalService, newStateDir, removeStateDir, startService, stopService } from './local-service.ts';

/** Endpoints whose cells run one after the other. */
const PLACES = 8;
const LIMIT = 280_000;
const POISON = 'SIGKILL to the task, on every attempt';

const begin = Date.now();
const stateDir = newStateDir();
const pairs = cells.filter(({ workers }) => workers === 2);
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${n}`);

let service: LocalService | undefined;
let processes: WorkerProcesses | undefined;
let endpoints: readonly Endpoint[] = [];
/** By the names of the cells. */
const settlers = new Map([...cells.map(nameOf), POISON].map((name) => [name, Promise.withResolvers<Outcome>()]));
// Each test hears how its own cell failed, whenever it comes to ask.
for (const { promise } of settlers.values()) promise.catch(() => undefined);
const ended = new Map<string, Outcome>();

async function run(name: string, work: () => Promise<Outcome>): Promise<void> {
  try {
    const outcome = await work();
    ended.set(name, outcome);
    settlers.get(name)?.resolve(outcome);
  } catch (error) {
    settlers.get(name)?.reject(error);
  }
}

/** Gives each place the next cell as soon as it is free. */
function runAll(single: readonly Place[], double: readonly Place[]): void {
  const runOne = (place: Place, cell: Cell) => run(nameOf(cell), () => runCell(place, cell));
  pairs.forEach((cell, n) => {
    const place = double[n];
    if (place) void runOne(place, cell);
  });
  const waiting = cells.filter(({ workers }) => workers === 1);
  single.forEach(async (place, n) => {
    if (n === 0) await run(POISON, () => killEveryAttempt(place));
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) await runOne(place, cell);
  });
}

beforeAll(async () => {
  const assembly = join(stateDir, 'changed-assembly');
  const workers = [
    ...names('single', PLACES).map((id) => [id, 1] as const),
    ...names('double', pairs.length).map((id) => [id, 2] as const),
  ];
  endpoints = await openEndpoints(stateDir, Object.fromEntries(workers));
  await synthesizeEndpoints(assembly, stateDir, endpoints);
  const running = await startService(stateDir, { args: ['--assembly', assembly] });
  service = running;
  const watching = watchProcesses(stateDir);
  processes = watching;
  console.log(`${endpoints.length} endpoints are ready after ${Date.now() - begin} ms`);
  const places = endpoints.map((endpoint) => ({ service: running, processes: watching, endpoint }));
  runAll(places.slice(0, PLACES), places.slice(PLACES));
}, 120_000);

afterAll(async () => {
  if (service) await stopService(service);
  processes?.stop();
  for (const { gate } of endpoints) await gate.close();
  // If it did not start, or a cell has left something standing still.
  await endMarkedProcesses(stateDir);
  removeStateDir(stateDir);
  console.log(table());
}, 30_000);

/** One line per cell; of its job and of the two behind it. */
function table(): string {
  const rows = [...settlers.keys()].map((name) => {
    const outcome = ended.get(name);
    if (!outcome) return [name, 'did not end'];
    const { reached, milliseconds, verdicts } = outcome;
    const count = (what: 'attempts' | 'starts' | 'effects') => verdicts.map((verdict) => verdict[what]).join(' ');
    return [name, reached, String(milliseconds), count('attempts'), count('starts'), count('effects')];
  });
  const widths = [38, 34, 6, 8, 6, 7];
  const line = (row: readonly string[]) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ');
  const head = line(['cell', 'reached', 'ms', 'attempts', 'starts', 'effects']);
  return [head, ...rows.map(line), `all in ${Date.now() - begin} ms`].join('\n');
}

describe('a job whose worker is hit', () => {
  it.each(cells.map(nameOf))(
    'by a %s, ends once, and so do those behind it',
    async (name) => {
      const outcome = await settlers.get(name)?.promise;
      expect(outcome?.problems).toEqual([]);
    },
    LIMIT,
  );

  it(
    `by a ${POISON}, is given up, and those behind it end`,
    async () => {
      const outcome = await settlers.get(POISON)?.promise;
      expect(outcome?.problems).toEqual([]);
    },
    LIMIT,
  );
});
