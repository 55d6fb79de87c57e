/** Jobs brought to where a test needs them, by the use-cases. */
import { finish, type Report } from '../../core/jobs/finish.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import { run } from '../../core/jobs/run.ts';
import { take } from '../../core/jobs/take.ts';
import type { World } from '../../core/world.ts';

export async function submitJob(world: World, endpoint: string, policy: object = {}): Promise<string> {
  const body = JSON.stringify({ input: {}, policy });
  return (await run(world, { endpoint, owner: 'ada', body: Buffer.from(body) })).id;
}

export async function takeJob(world: World, endpoint: string, id: string, worker = 'w1'): Promise<RunningJob> {
  const taken = await take(world, worker, { endpoint, job: id, attempt: 0, generation: 0 });
  if (taken.outcome !== 'taken') throw new Error(`The job is ${taken.outcome}.`);
  return taken.job;
}

export async function startJob(
  world: World,
  endpoint: string,
  policy: object = {},
  worker = 'w1',
): Promise<RunningJob> {
  return takeJob(world, endpoint, await submitJob(world, endpoint, policy), worker);
}

export async function finishJob(world: World, endpoint: string, report: Report): Promise<string> {
  const job = await startJob(world, endpoint);
  await finish(world, job, report);
  return job.id;
}
