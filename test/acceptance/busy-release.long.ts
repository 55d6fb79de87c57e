/** Tests 200 jobs during a release of an endpoint whose workers all have jobs, and 60 jobs while workers are killed. */
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { copyAssembly } from './assembly.ts';
import { describeBusyRelease } from './busy-release.ts';
import { type LocalService, newStateDir, startService, stopService } from './local-service.ts';
import { changeEndpoint } from './moving-fleet.ts';
import { type PlatformTeam, platformTeam } from './platform-team.ts';

const endpoint = 'echo';
const workers = 3;
const stateDir = newStateDir();
const log = join(stateDir, 'effects');
let running: LocalService;
let deployer: PlatformTeam;

beforeAll(async () => {
  const assembly = join(stateDir, 'changed-assembly');
  await copyAssembly(assembly);
  changeEndpoint(assembly, endpoint, { idleTimeout: 5_000, maxWorkers: workers }, log);
  running = await startService(stateDir, { args: ['--assembly', assembly] });
  deployer = platformTeam(stateDir, () => running);
}, 120_000);
afterAll(() => stopService(running));

const service = () => running;
const team = () => deployer;
describeBusyRelease({ endpoint, workers, jobs: 200, maxWait: 5_000, log, service, team });
describeBusyRelease({ endpoint, workers, jobs: 60, kills: true, log, service, team });
