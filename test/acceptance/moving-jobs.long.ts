/** Tests 200 jobs during a release and a scale-in. */
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { copyAssembly } from './assembly.ts';
import { type LocalService, newStateDir, startService, stopService } from './local-service.ts';
import { changeEndpoint } from './moving-fleet.ts';
import { describeMove } from './moving-jobs.ts';

const stateDir = newStateDir();
const log = join(stateDir, 'effects');
let service: LocalService;

beforeAll(async () => {
  const assembly = join(stateDir, 'changed-assembly');
  await copyAssembly(assembly);
  changeEndpoint(assembly, 'echo-sdk', { idleTimeout: 5_000, maxWorkers: 4 }, log);
  service = await startService(stateDir, { args: ['--assembly', assembly] });
}, 120_000);
afterAll(() => stopService(service));

describeMove({ jobs: 200, before: 140, log, service: () => service });
