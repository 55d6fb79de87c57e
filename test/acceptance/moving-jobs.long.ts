/** Tests that jobs complete, with one effect each, while the workers of their endpoint are replaced and scaled in. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyAssembly } from './assembly.ts';
import {
  type Answer,
  eventually,
  jobIn,
  type LocalService,
  newStateDir,
  startService,
  stopService,
  submit,
} from './local-service.ts';
import { changeEndpoint, effectsIn, fleetOf, type MovingFleet } from './moving-fleet.ts';

/** Number of jobs, and how many of them are submitted before the release. */
const COUNT = 200;
const EARLY = 140;

const stateDir = newStateDir();
/** File to which the endpoint's workers write the effects of jobs. */
const log = join(stateDir, 'effects');
let service: LocalService;

beforeAll(async () => {
  const assembly = join(stateDir, 'changed-assembly');
  await copyAssembly(assembly);
  changeEndpoint(assembly, 'echo-sdk', { idleTimeout: 5_000, maxWorkers: 4 }, log);
  service = await startService(stateDir, { args: ['--assembly', assembly] });
}, 120_000);
afterAll(() => stopService(service));

describe(`${COUNT} jobs during a release and a scale-in`, () => {
  const ids: string[] = [];
  let fleet: MovingFleet;

  /**
   * Submits jobs of about 150 ms each, at most 20 at the same time. More concurrent calls would time out on a slow
   * machine, because one process serves all requests.
   */
  async function submitMany(some: number): Promise<void> {
    const jobs = Array.from({ length: some }, (_, n) => ({ op: 'effect', ms: 100 + (n % 3) * 50 }));
    for (let from = 0; from < some; from += 20) {
      const part = jobs.slice(from, from + 20);
      const answers = await Promise.all(part.map((input) => submit(service, JSON.stringify({ input }), 'echo-sdk')));
      expect(answers.map(({ status }) => status)).toEqual(part.map(() => 200));
      ids.push(...answers.map(({ json }) => String(json.id)));
    }
  }

  it('complete, with one effect each', async () => {
    fleet = fleetOf(service, 'Endpoint-echo-sdk');
    const begin = Date.now();
    const since = () => `${Date.now() - begin} ms`;
    await submitMany(EARLY);
    await eventually('the first jobs are done', () => effectsIn(log).length >= 20 || undefined);
    const before = new Set((await fleet.tasks()).map(({ taskDefinitionArn }) => taskDefinitionArn));

    const revision = await fleet.release({ name: 'RELEASE', value: '2' });
    expect([...before]).toEqual([revision.replace(/\d+$/, (number) => String(Number(number) - 1))]);
    const released = since();
    await eventually('a new worker runs', async () => {
      const tasks = await fleet.tasks();
      return tasks.some((task) => task.taskDefinitionArn === revision && task.lastStatus === 'RUNNING') || undefined;
    });
    await fleet.scaleTo(1);
    const scaledIn = since();
    await submitMany(COUNT - EARLY);
    // Reads the jobs one after the other when none is running, because each request costs processor time.
    const within = 90_000;
    await eventually('every handler has finished', () => effectsIn(log).length >= COUNT || undefined, { within });
    const ended: Answer[] = [];
    for (const id of ids) ended.push(await jobIn(service, id, 'COMPLETED', 60_000, 'echo-sdk'));
    const done = since();
    await eventually('the release is complete', async () => (await fleet.rollout()) === 'COMPLETED' || undefined);

    const effects = effectsIn(log);
    const attempts = ended.map(({ json }) => Number(json.attempts));
    const workers = new Set(ended.map(({ json }) => json.workerId));
    console.log(
      `${ids.length} jobs: ${effects.length} effects of ${new Set(effects).size} jobs by ${workers.size} workers, ` +
        `${attempts.filter((attempt) => attempt > 1).length} of them with a second attempt; ` +
        `released after ${released}, scaled in after ${scaledIn}, all jobs done after ${done}, moved after ${since()}`,
    );
    expect(effects).toHaveLength(COUNT);
    expect(new Set(effects)).toEqual(new Set(ids));
    expect(Math.max(...attempts)).toBe(1);
    // The release and the scale-in are complete, so new jobs run on the new revision.
    const { json } = await submit(service, '{"input":{"op":"effect"}}', 'echo-sdk');
    const last = await jobIn(service, json.id, 'COMPLETED', 60_000, 'echo-sdk');
    const tasks = await fleet.tasks();
    expect(tasks.map(({ taskArn }) => taskArn?.split('/').at(-1))).toContain(last.json.workerId);
    expect(new Set(tasks.map(({ taskDefinitionArn }) => taskDefinitionArn))).toEqual(new Set([revision]));
  }, 240_000);
});
