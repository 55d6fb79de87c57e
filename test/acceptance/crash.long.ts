/** Tests how `npm start` stops: killed, by Ctrl-C, and before it is ready. */
import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { startStopwatch } from '../runner/stopwatch.ts';
import { loseNothing } from './killed-service.ts';
import {
  descendants,
  eventually,
  isRunning,
  jobIn,
  type LocalService,
  launch,
  newStateDir,
  record,
  stopService,
  submit,
} from './local-service.ts';

/** The first test kills this service and starts it again. All tests use it. */
let begun: Promise<LocalService> | undefined;
const restarted = (): Promise<LocalService> => {
  begun ??= loseNothing();
  return begun;
};
afterAll(async () => {
  const service = await begun?.catch(() => undefined);
  if (service) await stopService(service);
});

describe('kill -9 of npm start and all its children', () => {
  it('loses no job whose submission was answered', async () => {
    await restarted();
  }, 300_000);
});

describe('a start that cannot succeed', () => {
  it('prints one sentence if the port is in use', async () => {
    const port = Number(new URL((await restarted()).JobApiUrl).port);
    const second = launch(newStateDir(), port);
    const printed = record(second);
    await eventually('the second start has exited', () => second.exitCode ?? undefined);
    expect(second.exitCode).toBe(1);
    expect(printed()).toMatch(new RegExp(`[Pp]ort ${port} is in use`));
    expect(printed()).not.toMatch(/\n\s+at /);
  }, 180_000);

  it('prints one sentence if a port is invalid', async () => {
    const second = launch(newStateDir(), 70_000);
    const printed = record(second);
    await eventually('the start has exited', () => second.exitCode ?? undefined);
    expect(printed()).toContain('70000');
    expect(printed()).not.toMatch(/\n\s+at /);
  }, 120_000);
});

describe('Ctrl-C', () => {
  it('stops everything within 5 s and leaves no process and no outputs file', async () => {
    const service = await restarted();
    const { json } = await submit(service, '{"input":{"op":"sleep","ms":60000}}');
    await jobIn(service, json.id, 'IN_PROGRESS');
    const processes = descendants(service.process.pid ?? 0);
    expect(processes.length).toBeGreaterThanOrEqual(4);
    const stopwatch = startStopwatch();
    await stopService(service);
    // A killed process exists until its parent has read its exit status.
    await eventually('every process has exited', () => !processes.some(isRunning) || undefined, { every: 20 });
    expect(stopwatch.milliseconds()).toBeLessThan(5_000);
    stopwatch.stop();
    expect(existsSync(`${service.stateDir}/outputs.json`)).toBe(false);
  }, 180_000);
});
