/** Tests releases of an endpoint whose workers all have jobs, while more jobs arrive. */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { processIds, signal } from '../runner/processes.ts';
import { identify } from './kill/processes.ts';
import { call, eventually, jobIn, type LocalService, readStatus, submit } from './local-service.ts';
import { effectsIn } from './moving-fleet.ts';
import type { PlatformTeam } from './platform-team.ts';

export interface BusyRelease {
  /** Id of an endpoint whose file includes its template and runs the example worker. */
  readonly endpoint: string;
  /** Maximum number of workers of the endpoint. Each has a job when the release begins. */
  readonly workers: number;
  /** Number of jobs that arrive during the release. */
  readonly jobs: number;
  /**
   * Maximum time that a job may wait on a quiet machine, in milliseconds.
   * @default - not checked
   */
  readonly maxWait?: number;
  /** Whether a worker of each revision is killed during the release. */
  readonly kills?: boolean;
  /** File to which the endpoint's workers write the effects of jobs. */
  readonly log: string;
  /** Available when tests run. */
  service(): LocalService;
  team(): PlatformTeam;
}

interface Health {
  readonly jobs: { readonly inProgress: number };
  readonly workers: { readonly idle: number; readonly ready: number; readonly running: number };
}

/** Milliseconds between two submissions. */
const EVERY = 200;
const PATIENCE = 120_000;

export function describeBusyRelease(options: BusyRelease): void {
  const { endpoint, workers, jobs: count, maxWait, kills = false, log, service, team } = options;

  const health = async () =>
    (await call(service(), 'GET', `${service().JobApiUrl}/${endpoint}/health`)).json as unknown as Health;

  /** Kills the agent of the worker, which stops its task. */
  function kill(worker: unknown): void {
    const { stateDir } = service();
    const agent = processIds().find((pid) => {
      const found = identify(pid, stateDir);
      return found?.task === worker && found?.role === 'agent';
    });
    if (agent === undefined) throw new Error(`The agent of worker ${worker} is not running.`);
    signal(agent, 'SIGKILL');
  }

  const submitted = async (input: object) =>
    String((await submit(service(), JSON.stringify({ input }), endpoint)).json.id);

  describe(`${count} jobs during a release of an endpoint whose workers all have jobs`, () => {
    it(`complete${kills ? ', though workers of both revisions are killed' : ' on the new workers, with one effect each'}`, async () => {
      const blockers = await Promise.all(
        Array.from({ length: workers }, () => submitted({ op: 'sleep', ms: 600_000 })),
      );
      const old: unknown[] = [];
      for (const id of blockers)
        old.push((await jobIn(service(), id, 'IN_PROGRESS', PATIENCE, endpoint)).json.workerId);
      const version = await team().update(endpoint, {
        env: { RELEASED: `${count} jobs` },
        // An earlier release might have changed the command to one that exits immediately.
        dockerStartCmd: [],
      });
      // An earlier release might still be replacing workers, and the counts are a second or two behind the jobs.
      await eventually(
        'the old workers run their jobs, and the new workers are ready',
        async () => {
          const { jobs, workers: its } = await health();
          const isCalm = its.ready === 2 * workers && its.idle === workers && its.running === workers;
          return (isCalm && jobs.inProgress === workers) || undefined;
        },
        { within: PATIENCE },
      );

      const ids: string[] = [];
      const reasons = new Set<unknown>();
      for (let n = 0; n < count; n += 1) {
        const id = await submitted({ op: 'effect', ms: 100 + (n % 3) * 50 });
        ids.push(id);
        const { json } = await readStatus(service(), id, endpoint);
        if (json.waitReason) reasons.add(json.waitReason);
        if (kills && n === Math.floor(count / 3)) kill(old[0]);
        if (kills && n === Math.floor((2 * count) / 3)) {
          const first = await jobIn(service(), ids[0], 'COMPLETED', PATIENCE, endpoint);
          kill(first.json.workerId);
        }
        await delay(EVERY);
      }
      const ended = [];
      for (const id of ids) ended.push((await jobIn(service(), id, 'COMPLETED', PATIENCE, endpoint)).json);
      // The earlier jobs still run. An old worker that has ended its job would also have taken a new one.
      for (const id of blockers)
        expect((await readStatus(service(), id, endpoint)).json).toMatchObject({ status: 'IN_PROGRESS' });

      for (const id of blockers) await call(service(), 'POST', `${service().JobApiUrl}/${endpoint}/cancel/${id}`);
      await team().released(endpoint, version, 'COMPLETED');
      const waits = ended.map(({ delayTime }) => Number(delayTime)).sort((one, other) => one - other);
      const effects = effectsIn(log).filter((job) => ids.includes(job));
      const again = ended.filter(({ attempts }) => attempts !== 1).length;
      console.log(
        `${count} jobs: waited ${waits[Math.floor(waits.length / 2)]} ms (median), ${waits.at(-1)} ms (longest), ` +
          `${[...reasons].join(', ') || 'no reason reported'}; ${effects.length} effects, ${again} started again`,
      );
      expect(new Set(effects)).toEqual(new Set(ids));
      if (maxWait !== undefined) expect(waits.at(-1)).toBeLessThanOrEqual(maxWait);
      if (kills) return;
      expect(effects).toHaveLength(count);
      expect(again).toBe(0);
      expect(ended.filter(({ workerId }) => old.includes(workerId))).toEqual([]);
    }, 600_000);
  });
}
