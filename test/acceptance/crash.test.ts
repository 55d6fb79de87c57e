import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { sharedAssembly } from './assembly.ts';
import {
  descendants,
  eventually,
  freePort,
  isRunning,
  jobIn,
  type LocalService,
  launch,
  newStateDir,
  record,
  removeStateDir,
  startService,
  stopService,
  submit,
} from './local-service.ts';

let service: LocalService | undefined;
const stateDirs: string[] = [];
const stateDir = () => {
  const dir = newStateDir();
  stateDirs.push(dir);
  return dir;
};

afterEach(async () => {
  if (service) await stopService(service);
  for (const dir of stateDirs.splice(0)) removeStateDir(dir);
});

/** A process that is the runner of a worker ends by itself as soon as its supervisor does. */
function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    expect(isRunning(pid)).toBe(false);
  }
}

const SUBMISSIONS = 200;
const KILL_AFTER = 60;

describe('kill -9 of npm start and all its children', () => {
  it('loses no job that was answered', async () => {
    const dir = stateDir();
    service = await startService(dir, { args: ['--assembly', await sharedAssembly()] });
    const { pid = 0 } = service.process;
    // One runs when everything is killed, and the others wait behind it.
    const { json: running } = await submit(service, '{"input":{"op":"sleep","ms":5000}}');
    await jobIn(service, running.id, 'IN_PROGRESS');
    const acknowledged: unknown[] = [running.id];
    const all = Array.from({ length: SUBMISSIONS }, async (_, n) => {
      const answer = await submit(service as LocalService, `{"input":{"n":${n}}}`).catch(() => undefined);
      if (answer?.status === 200) acknowledged.push(answer.json.id);
      if (answer && acknowledged.length === KILL_AFTER) for (const victim of [pid, ...descendants(pid)]) endNow(victim);
    });
    await Promise.all(all);
    expect(acknowledged.length).toBeGreaterThanOrEqual(KILL_AFTER);

    service = await startService(dir, { args: ['--assembly', await sharedAssembly()] });
    for (const id of acknowledged) await jobIn(service, id, 'COMPLETED', 90_000);
  }, 180_000);
});

describe('Ctrl-C', () => {
  it('stops everything within 5 s and leaves no process and no outputs file', async () => {
    const dir = stateDir();
    service = await startService(dir, { args: ['--assembly', await sharedAssembly()] });
    const { json } = await submit(service, '{"input":{"op":"sleep","ms":60000}}');
    await jobIn(service, json.id, 'IN_PROGRESS');
    const processes = descendants(service.process.pid ?? 0);
    expect(processes.length).toBeGreaterThanOrEqual(4);
    const asked = Date.now();
    await stopService(service);
    // Who was ended the hard way is there until somebody has asked how it ended.
    const within = asked + 5_000 - Date.now();
    await eventually('every process has ended', () => !processes.some(isRunning) || undefined, { within });
    expect(existsSync(`${dir}/outputs.json`)).toBe(false);
  }, 120_000);
});

describe('a start that cannot succeed', () => {
  it('says in one sentence that the port is in use', async () => {
    service = await startService(stateDir(), { args: ['--assembly', await sharedAssembly()] });
    const port = Number(new URL(service.JobApiUrl).port);
    const second = launch(stateDir(), port);
    const printed = record(second);
    await eventually('the second start has ended', () => second.exitCode ?? undefined);
    expect(second.exitCode).toBe(1);
    expect(printed()).toMatch(new RegExp(`[Pp]ort ${port} is in use`));
    expect(printed()).not.toMatch(/\n\s+at /);
  }, 120_000);

  it('says in one sentence that a port is none', async () => {
    const second = launch(stateDir(), 70_000);
    const printed = record(second);
    await eventually('the start has ended', () => second.exitCode ?? undefined);
    expect(printed()).toContain('70000');
    expect(printed()).not.toMatch(/\n\s+at /);
    expect(await freePort()).toBeGreaterThan(0);
  }, 120_000);
});
