/**
 * Runs cells of the kill matrix in one service and reports each as a test. In each cell, a process of a worker
 * dies, or is stopped for longer than the worker's lease, in some phase of a job. No acknowledged job may be lost,
 * exactly one effect of each job may count, and the jobs behind the interrupted job must complete.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pLimit from 'p-limit';
import { endMarkedProcesses } from '../../../packages/emulator/state/processes.ts';
import { type LocalService, newStateDir, startService, stopService } from '../local-service.ts';
import { type Cell, nameOf } from './cells.ts';
import { type Endpoint, openEndpoints, synthesizeEndpoints } from './endpoints.ts';
import type { Place } from './place.ts';
import { killEveryAttempt } from './poison.ts';
import { type WorkerProcesses, watchProcesses } from './processes.ts';
import { type Outcome, runCell } from './run.ts';

export interface Matrix {
  readonly cells: readonly Cell[];
  /** Number of endpoints for cells with one worker. Each endpoint runs its cells one after the other. */
  readonly places: number;
  /** Number of cells with two workers that run at the same time, each on an endpoint without workers. */
  readonly pairsAtOnce: number;
}

const LIMIT = 280_000;
const POISON = 'SIGKILL to the task in every attempt';

export function describeKills({ cells, places, pairsAtOnce }: Matrix): void {
  const begin = Date.now();
  const stateDir = newStateDir();
  const alone = cells.filter(({ workers }) => workers === 1);
  const pairs = cells.filter(({ workers }) => workers === 2);
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${n}`);

  let service: LocalService | undefined;
  let processes: WorkerProcesses | undefined;
  let endpoints: readonly Endpoint[] = [];
  /** Resolvers of the outcomes, by the names of the cells. */
  const resolvers = new Map([...cells.map(nameOf), POISON].map((name) => [name, Promise.withResolvers<Outcome>()]));
  // The test of a cell awaits its outcome and reports its failure.
  for (const { promise } of resolvers.values()) promise.catch(() => undefined);
  const ended = new Map<string, Outcome>();

  async function run(name: string, work: () => Promise<Outcome>): Promise<void> {
    try {
      const outcome = await work();
      ended.set(name, outcome);
      resolvers.get(name)?.resolve(outcome);
    } catch (error) {
      resolvers.get(name)?.reject(error);
    }
  }

  function runAll(single: readonly Place[], double: readonly Place[]): void {
    const runOne = (place: Place, cell: Cell) => run(nameOf(cell), () => runCell(place, cell));
    const atOnce = pLimit(pairsAtOnce);
    pairs.forEach((cell, n) => {
      const place = double[n];
      if (place) void atOnce(() => runOne(place, cell));
    });
    // Each endpoint runs the next cell as soon as it is free.
    const waiting = [...alone];
    single.forEach(async (place) => {
      for (let cell = waiting.shift(); cell; cell = waiting.shift()) await runOne(place, cell);
    });
  }

  beforeAll(async () => {
    const assembly = join(stateDir, 'changed-assembly');
    const workers = [
      ...names('single', places).map((id) => [id, 1] as const),
      ...names('double', pairs.length).map((id) => [id, 2] as const),
      ['poison', 1] as const,
    ];
    endpoints = await openEndpoints(stateDir, Object.fromEntries(workers));
    await synthesizeEndpoints(assembly, stateDir, endpoints);
    const running = await startService(stateDir, { args: ['--assembly', assembly] });
    service = running;
    const watching = watchProcesses(stateDir);
    processes = watching;
    console.log(`${endpoints.length} endpoints are ready after ${Date.now() - begin} ms`);
    const all = endpoints.map((endpoint) => ({ service: running, processes: watching, endpoint }));
    const [poisoned] = all.slice(-1);
    runAll(all.slice(0, places), all.slice(places, -1));
    if (poisoned) void run(POISON, () => killEveryAttempt(poisoned));
  }, 120_000);

  afterAll(async () => {
    if (service) await stopService(service);
    processes?.stop();
    for (const { gate } of endpoints) await gate.close();
    // The service might not have started, or a cell might have left a stopped process.
    await endMarkedProcesses(stateDir);
    console.log(table());
  }, 30_000);

  /** Returns one line for each cell, with the numbers of its job and of the two jobs behind it. */
  function table(): string {
    const rows = [...resolvers.keys()].map((name) => {
      const outcome = ended.get(name);
      if (!outcome) return [name, 'did not finish'];
      const { reached, milliseconds, verdicts } = outcome;
      const count = (what: 'attempts' | 'starts' | 'effects') => verdicts.map((verdict) => verdict[what]).join(' ');
      return [name, reached, String(milliseconds), count('attempts'), count('starts'), count('effects')];
    });
    const widths = [44, 36, 6, 8, 6, 7];
    const line = (row: readonly string[]) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ');
    const head = line(['cell', 'reached', 'ms', 'attempts', 'starts', 'effects']);
    return [head, ...rows.map(line), `all in ${Date.now() - begin} ms`].join('\n');
  }

  describe('a job whose worker gets a signal', () => {
    it.each(cells.map(nameOf))(
      'ends once after a %s, and so do the jobs behind it',
      async (name) => {
        const outcome = await resolvers.get(name)?.promise;
        expect(outcome?.problems).toEqual([]);
      },
      LIMIT,
    );

    it('has the stages of the start that it waited for, in at least one cell', async () => {
      const outcomes = await Promise.allSettled(cells.map((cell) => resolvers.get(nameOf(cell))?.promise));
      const verdicts = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value?.verdicts : []));
      expect(verdicts.some((verdict) => verdict?.waitedForStart)).toBe(true);
    });

    it(
      `is given up after a ${POISON}, and the jobs behind it end`,
      async () => {
        const outcome = await resolvers.get(POISON)?.promise;
        expect(outcome?.problems).toEqual([]);
      },
      LIMIT,
    );
  });
}
