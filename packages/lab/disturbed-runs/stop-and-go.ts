/**
 * Stops all processes of a run at random moments, and continues them, until its parent process is gone.
 *
 *   node packages/lab/disturbed-runs/stop-and-go.ts RUN SEED MIN_PAUSE MAX_PAUSE STOP       times in milliseconds
 *
 * Writes a line for each stop, with the number of processes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { signal, stateOf } from '../../../test/runner/processes.ts';
import { numbersOf } from '../../../test/runner/seed.ts';
import { processesOf } from './run.ts';

const [run = '', ...numbers] = process.argv.slice(2);
const [seed = 0, minPause = 0, maxPause = 0, stop = 0] = numbers.map(Number);
const below = numbersOf(seed);
const gone = new AbortController();

const isStopped = (pid: number) => ['T', 'Z', undefined].includes(stateOf(pid)?.state);

/** Repeats until all processes are stopped, because a process may start another before it is stopped. */
function stopAll(): number[] {
  const stopped = new Set<number>();
  for (;;) {
    const running = processesOf(run).filter((pid) => !stopped.has(pid) && !isStopped(pid));
    if (running.length === 0) return [...stopped];
    for (const pid of running) if (signal(pid, 'SIGSTOP')) stopped.add(pid);
  }
}

async function wait(milliseconds: number): Promise<void> {
  await delay(milliseconds, undefined, { signal: gone.signal }).catch(() => undefined);
}

// The pipe closes when the parent exits. Ctrl-C is handled by the parent.
process.stdin.once('end', () => gone.abort()).resume();
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => gone.abort());
process.stdout.on('error', () => gone.abort());

while (!gone.signal.aborted) {
  await wait(minPause + below(maxPause - minPause + 1));
  if (gone.signal.aborted) break;
  const stopped = stopAll();
  console.log(stopped.length);
  await wait(stop);
  for (const pid of stopped) signal(pid, 'SIGCONT');
}
process.exit();
