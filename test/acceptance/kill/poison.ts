/** Runs a job whose whole task is killed in every attempt. */
import { MAX_ATTEMPTS } from '../../../core/limits.ts';
import { idleWorker, jobEnds, named, type Place, started, statusOf, submitted } from './place.ts';
import { signalAll } from './processes.ts';
import type { Outcome } from './run.ts';
import { judge } from './verdict.ts';

export async function killEveryAttempt(place: Place): Promise<Outcome> {
  await idleWorker(place);
  const begin = Date.now();
  const job = await submitted(place, { op: 'effect', ms: 60_000 });
  const behind = [await submitted(place, { op: 'effect' }), await submitted(place, { op: 'effect' })];
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    await started(place, job, attempt);
    const worker = String((await statusOf(place, job)).workerId);
    await named(place, job, worker);
    signalAll(Object.values(place.processes.task(worker)), 'SIGKILL');
  }
  for (const each of behind) await jobEnds(place, each);
  await jobEnds(place, job, 'FAILED');
  const milliseconds = Date.now() - begin;

  const verdicts = [await judge(place, job, [MAX_ATTEMPTS], 'FAILED')];
  for (const each of behind) verdicts.push(await judge(place, each, [1]));
  const problems = verdicts.flatMap((verdict) => verdict.problems);
  const { code } = await statusOf(place, job);
  if (code !== 'WORKER_LOST') problems.push(`${job}: its code is ${code}`);
  const [{ starts, effects } = { starts: 0, effects: 0 }] = verdicts;
  if (starts !== MAX_ATTEMPTS || effects !== 0) problems.push(`${job}: ${starts} starts, ${effects} effects`);
  return { reached: 'start logged, job in the lease', milliseconds, verdicts, problems };
}
