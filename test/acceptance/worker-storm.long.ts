/** Runs a storm: 200 jobs while containers of every kind of worker are killed. */
import { join, resolve } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { MINUTE } from '../../core/limits.ts';
import { readDeclarations } from '../../lib/endpoints/declaration.ts';
import { assemblyWith } from './added-endpoints.ts';
import { type LocalService, newStateDir, startService, stopService } from './local-service.ts';
import { kindsHere, withPython } from './workers/kinds-here.ts';
import { pythonWithSdk } from './workers/python.ts';
import { MAX_KILLS, type Storm, storm } from './workers/storm.ts';
import { describeStorm } from './workers/storm-tests.ts';

const FOLDER = resolve('test/acceptance/workers');
const SIZE = { jobs: 200, kills: MAX_KILLS };
const stateDir = newStateDir();
const ends = Promise.withResolvers<Storm>();
ends.promise.catch(() => undefined);
let service: LocalService | undefined;

beforeAll(async () => {
  const assembly = join(stateDir, 'changed-assembly');
  const declarations = readDeclarations(FOLDER).filter(({ id }) => kindsHere.some((kind) => id === `storm-${kind}`));
  await Promise.all([assemblyWith(assembly, declarations), withPython && pythonWithSdk()]);
  const env = { LOCAL_IMAGES: join(FOLDER, 'images.yaml') };
  service = await startService(stateDir, { args: ['--assembly', assembly], env });
  storm(service, kindsHere, SIZE).then(ends.resolve, ends.reject);
}, 5 * MINUTE);

afterAll(async () => {
  if (service) await stopService(service);
});

describeStorm(SIZE, () => ends.promise);
