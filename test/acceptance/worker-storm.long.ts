/** Runs a storm: 200 jobs while containers of every kind of worker are killed. */
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_ATTEMPTS, MINUTE } from '../../core/limits.ts';
import { readDeclarations } from '../../lib/endpoints/declaration.ts';
import { assemblyWith } from './added-endpoints.ts';
import { type LocalService, newStateDir, startService, stopService } from './local-service.ts';
import { kindsHere, withPython } from './workers/kinds-here.ts';
import { pythonWithSdk } from './workers/python.ts';
import { MAX_KILLS, type StormJob, storm } from './workers/storm.ts';

const FOLDER = resolve('test/acceptance/workers');
const SIZE = { jobs: 200, kills: MAX_KILLS };
const stateDir = newStateDir();
let service: LocalService | undefined;
let jobs: readonly StormJob[];

beforeAll(async () => {
  const assembly = join(stateDir, 'changed-assembly');
  const declarations = readDeclarations(FOLDER).filter(({ id }) => kindsHere.some((kind) => id === `storm-${kind}`));
  await Promise.all([assemblyWith(assembly, declarations), withPython && pythonWithSdk()]);
  const env = { LOCAL_IMAGES: join(FOLDER, 'images.yaml') };
  service = await startService(stateDir, { args: ['--assembly', assembly], env });
  const { kills, milliseconds, jobs: ended } = await storm(service, kindsHere, SIZE);
  jobs = ended;
  const again = jobs.filter(({ record }) => record.attempts !== 1).length;
  console.log([...kills, `${again} jobs ran again, all in ${milliseconds} ms`].join('\n'));
  expect(again).toBeGreaterThan(0);
}, 9 * MINUTE);

afterAll(async () => {
  if (service) await stopService(service);
});

describe(`a storm of ${SIZE.jobs} jobs whose workers lose containers every 5 s`, () => {
  it('loses no job', () => {
    expect(jobs).toHaveLength(SIZE.jobs);
    expect(jobs.filter(({ record }) => record.status !== 'COMPLETED')).toEqual([]);
  });

  it('starts each job once per attempt, and at most three times', () => {
    const wrong = jobs.filter(({ record, log }) => {
      const starts = log.filter(({ event }) => event === 'start').map(({ attempt }) => attempt);
      const { attempts = 0 } = record;
      return new Set(starts).size !== starts.length || starts.at(-1) !== attempts || attempts > MAX_ATTEMPTS;
    });
    expect(wrong).toEqual([]);
  });

  it('leaves one valid effect for each job: that of the attempt and process in its output', () => {
    const wrong = jobs.filter(({ record, log }) => {
      const { attempt, pid } = record.output as { attempt: number; pid: number };
      const effects = log.filter(({ event }) => event === 'effect');
      const counting = effects.filter((line) => line.attempt === record.attempts);
      return attempt !== record.attempts || counting.length !== 1 || counting[0]?.pid !== pid;
    });
    expect(wrong).toEqual([]);
  });
});
