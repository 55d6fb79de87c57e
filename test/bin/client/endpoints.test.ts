/** Tests what `gpu-endpoints endpoints get` prints for people. */
import { describe, expect, it } from '@jest/globals';
import { runAgainst } from './stub-service.ts';

const endpoint = (waitReason?: string) => ({
  id: 'chat',
  minWorkers: 0,
  maxWorkers: 3,
  executionTimeout: 600_000,
  idleTimeout: 60_000,
  category: 'CPU',
  protocol: 'worker',
  template: { id: 'echo' },
  health: {
    jobs: { inQueue: 1, inProgress: 0, completed: 0, failed: 0, retried: 0 },
    workers: { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 1 },
    ...(waitReason && { waitReason, waitDetail: 'A worker exits.' }),
  },
  remedy: "Read the log of the worker's container.",
});

const get = (waitReason?: string) =>
  runAgainst(() => endpoint(waitReason), ['endpoints', 'get', 'chat', '--env', 'prod']);

describe('endpoints get', () => {
  it('names the commands that help if workers exit', async () => {
    const { code, stdout } = await get('WORKER_EXITS');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Its log +npx gpu-endpoints logs chat --env prod$/m);
    expect(stdout).toMatch(/^Once repaired +npx gpu-endpoints endpoints resume chat --env prod$/m);
  });

  it('names the release that runs, if it is not the last one', async () => {
    const running = { template: 'echo', version: 2, revision: 5, since: '2030-01-31T12:00:00Z' };
    const release = { state: 'ROLLED_BACK', version: 3, revision: 6, startedAt: '2030-01-31T12:00:00Z' };
    const of = (revision: number) =>
      runAgainst(() => ({ ...endpoint(), running, release: { ...release, revision } }), ['endpoints', 'get', 'chat']);
    expect((await of(6)).stdout).toMatch(/^Running +release 5, with version 2 of the template echo$/m);
    expect((await of(5)).stdout).not.toMatch(/^Running/m);
  });

  it('says which image no worker runs, because its release was rolled back', async () => {
    const release = { state: 'ROLLED_BACK', version: 3, startedAt: '2030-01-31T12:00:00Z' };
    const respond = () => ({ ...endpoint(), image: 'team/chat:1.2', release });
    const { stdout } = await runAgainst(respond, ['endpoints', 'get', 'chat']);
    expect(stdout).toMatch(/^Image +team\/chat:1\.2, of the release that was rolled back$/m);
    const listed = await runAgainst(() => ({ endpoints: [respond()] }), ['endpoints', 'ls']);
    expect(listed.stdout).toContain('  1.2 (not running)  ROLLED_BACK ');
  });

  it('says which version of the template still runs during a release', async () => {
    const release = { state: 'IN_PROGRESS', version: 3, revision: 6, startedAt: '2030-01-31T12:00:00Z' };
    const running = { template: 'echo', version: 2, revision: 5, since: '2030-01-31T12:00:00Z' };
    const imageWith = async (version: number) => {
      const one = { ...endpoint(), image: 'team/chat:1.2', release, running: { ...running, version } };
      return (await runAgainst(() => ({ endpoints: [one] }), ['endpoints', 'ls'])).stdout;
    };
    expect(await imageWith(2)).toContain('  1.2 (version 2 runs)  IN_PROGRESS ');
    // The release only has another blueprint.
    expect(await imageWith(3)).toContain('  1.2    IN_PROGRESS ');
  });

  it('says what a reason means for which the provider gives no detail', async () => {
    const waiting = { ...endpoint(), health: { ...endpoint().health, waitReason: 'WORKERS_BUSY' } };
    const { stdout } = await runAgainst(() => waiting, ['endpoints', 'get', 'chat']);
    expect(stdout).toMatch(/^Why +every worker has a job$/m);
    const listed = await runAgainst(() => ({ endpoints: [waiting] }), ['endpoints', 'ls']);
    expect(listed.stderr).toBe('WORKERS_BUSY: every worker has a job.\n');
    const running = { ...waiting, health: { ...waiting.health, jobs: { ...waiting.health.jobs, inProgress: 1 } } };
    expect((await runAgainst(() => running, ['endpoints', 'get', 'chat'])).stdout).toMatch(/^State +RUNNING$/m);
  });

  it('names no log if no worker has printed one', async () => {
    expect((await get('NO_CAPACITY')).stdout).not.toContain('logs chat');
  });
});
