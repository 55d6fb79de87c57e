/**
 * Workers of every kind behind the agent, over HTTP: those of the original's Python SDK, of our Node SDK, and plain HTTP
 * servers. And a storm: 200 jobs while containers of their workers are killed.
 */
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_ATTEMPTS, MINUTE } from '../../core/limits.ts';
import { readDeclarations } from '../../lib/endpoint-declaration.ts';
import { assemblyWith } from './added-endpoints.ts';
import { type LocalService, newStateDir, removeStateDir, startService, stopService } from './local-service.ts';
import { type Behaviour, behaviours } from './workers/behaviours.ts';
import { type Kind, kinds, titles } from './workers/kinds.ts';
import { placeAt } from './workers/place.ts';
import { hasPython, pythonWithSdk } from './workers/python.ts';
import { type Storm, type StormJob, storm } from './workers/storm.ts';

const FOLDER = resolve('test/acceptance/workers');
const LIMIT = 4 * MINUTE;

const withPython = process.env.REQUIRE_PYTHON === '1' || hasPython();
const kindsHere = (Object.keys(kinds) as Kind[]).filter((kind) => kind !== 'python' || withPython);
const stateDir = newStateDir();
let service: LocalService | undefined;

const keyOf = (kind: Kind, { name }: Behaviour) => `${kind}: ${name}`;
const cells = kindsHere.flatMap((kind) => behaviours.map((behaviour) => ({ kind, behaviour })));
const settlers = new Map(cells.map(({ kind, behaviour }) => [keyOf(kind, behaviour), Promise.withResolvers<void>()]));
// Each test hears how its own cell failed, whenever it comes to ask.
for (const { promise } of settlers.values()) promise.catch(() => undefined);
const stormEnds = Promise.withResolvers<Storm>();
stormEnds.promise.catch(() => undefined);

function titleOf(kind: Kind, { name, instead }: Behaviour): string {
  const other = instead?.[kind];
  return other ? `${name}: not here, because ${other.because}` : name;
}

/** Those of one endpoint one after the other, and all endpoints at once: most of the time they wait. */
function runAll(running: LocalService): void {
  const places = Map.groupBy(cells, ({ kind, behaviour }) => kinds[kind][behaviour.of]);
  for (const [endpoint, theirs] of places)
    void theirs.reduce(async (before, { kind, behaviour }) => {
      await before;
      const check = behaviour.instead?.[kind]?.check ?? behaviour.check;
      const settler = settlers.get(keyOf(kind, behaviour));
      await check(placeAt(running, endpoint)).then(settler?.resolve, settler?.reject);
    }, Promise.resolve());
}

beforeAll(async () => {
  const assembly = join(stateDir, 'changed-assembly');
  const declarations = readDeclarations(FOLDER).filter(({ image }) => withPython || image !== 'test/python-worker');
  await Promise.all([assemblyWith(assembly, declarations), withPython && pythonWithSdk()]);
  const env = { LOCAL_IMAGES: join(FOLDER, 'images.yaml') };
  const running = await startService(stateDir, { args: ['--assembly', assembly], env });
  service = running;
  storm(running, kindsHere).then(stormEnds.resolve, stormEnds.reject);
  runAll(running);
}, 5 * MINUTE);

afterAll(async () => {
  if (service) await stopService(service);
  removeStateDir(stateDir);
});

it('are of all kinds where there is a Python', () => {
  if (!withPython) console.log("There is no Python here that can make environments: the original's SDK is not tested.");
  expect(kindsHere).toEqual(withPython ? ['python', 'node', 'http'] : ['node', 'http']);
});

describe.each(kindsHere.map((kind) => [titles[kind], kind] as const))('a worker of %s', (_, kind) => {
  it.each(behaviours.map((behaviour) => [titleOf(kind, behaviour), behaviour] as const))(
    '%s',
    (_title, behaviour) => settlers.get(keyOf(kind, behaviour))?.promise,
    LIMIT,
  );
});

describe('of 200 jobs whose workers lose containers every 5 s', () => {
  let jobs: readonly StormJob[];

  beforeAll(async () => {
    const { seed, kills, milliseconds, ...storm } = await stormEnds.promise;
    jobs = storm.jobs;
    const again = jobs.filter(({ record }) => record.attempts !== 1).length;
    console.log([`STORM_SEED=${seed}`, ...kills, `${again} jobs ran again, all in ${milliseconds} ms`].join('\n'));
    expect(again).toBeGreaterThan(0);
  }, LIMIT);

  it('none is lost', () => {
    expect(jobs).toHaveLength(200);
    expect(jobs.filter(({ record }) => record.status !== 'COMPLETED')).toEqual([]);
  });

  it('each was started once by an attempt, and had no more than three', () => {
    const wrong = jobs.filter(({ record, log }) => {
      const starts = log.filter(({ event }) => event === 'start').map(({ attempt }) => attempt);
      const { attempts = 0 } = record;
      return new Set(starts).size !== starts.length || starts.at(-1) !== attempts || attempts > MAX_ATTEMPTS;
    });
    expect(wrong).toEqual([]);
  });

  it('each has one effect that counts: that of the attempt and the process which its output names', () => {
    const wrong = jobs.filter(({ record, log }) => {
      const { attempt, pid } = record.output as { attempt: number; pid: number };
      const effects = log.filter(({ event }) => event === 'effect');
      const counting = effects.filter((line) => line.attempt === record.attempts);
      return attempt !== record.attempts || counting.length !== 1 || counting[0]?.pid !== pid;
    });
    expect(wrong).toEqual([]);
  });
});
