/** Kills all processes of `npm start` while jobs are submitted and run. */
import { expect } from '@jest/globals';
import { signal } from '../runner/processes.ts';
import { sharedAssembly } from './assembly.ts';
import {
  descendants,
  holdingFile,
  jobIn,
  type LocalService,
  newStateDir,
  startService,
  stopService,
  submit,
} from './local-service.ts';

/** Number of jobs that clients submit at the same time. */
const SUBMISSIONS = 200;
/** Number of acknowledged jobs after which all processes are killed. */
const KILL_AFTER = 60;

/**
 * Kills all processes, starts the service again, and waits until each acknowledged job has completed.
 * @returns the service after its second start
 */
export async function loseNothing(): Promise<LocalService> {
  const dir = newStateDir();
  const args = ['--assembly', await sharedAssembly()];
  const first = await startService(dir, { args });
  const { pid = 0 } = first.process;
  // One job runs when the processes are killed, and the others wait behind it.
  const { until, release } = holdingFile();
  const { json: running } = await submit(first, JSON.stringify({ input: { op: 'sleep', ms: 0, until } }));
  await jobIn(first, running.id, 'IN_PROGRESS');
  const acknowledged: unknown[] = [running.id];
  const all = Array.from({ length: SUBMISSIONS }, async (_, n) => {
    const answer = await submit(first, `{"input":{"n":${n}}}`).catch(() => undefined);
    if (answer?.status === 200) acknowledged.push(answer.json.id);
    // The runner of a worker exits by itself when its supervisor exits.
    if (answer && acknowledged.length === KILL_AFTER)
      for (const victim of [pid, ...descendants(pid)]) signal(victim, 'SIGKILL');
  });
  await Promise.all(all);
  expect(acknowledged.length).toBeGreaterThanOrEqual(KILL_AFTER);
  release();

  const second = await startService(dir, { args });
  try {
    for (const id of acknowledged) await jobIn(second, id, 'COMPLETED', 90_000);
  } catch (error) {
    await stopService(second);
    throw error;
  }
  return second;
}
