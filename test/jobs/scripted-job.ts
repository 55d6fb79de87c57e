/** Brings jobs to the status that a test needs, through the use-cases. */

import type { Ports } from '../../aws/ports.ts';
import type { RunningJob } from '../../core/jobs/job.ts';
import { run } from '../../core/submission/submit.ts';
import { finish, type Report } from '../../core/workers/report.ts';
import { take } from '../../core/workers/take.ts';

export async function submitJob(ports: Ports, endpoint: string, policy: object = {}): Promise<string> {
  const body = JSON.stringify({ input: {}, policy });
  return (await run(ports, { endpoint, owner: 'ada', body: Buffer.from(body) })).id;
}

export async function takeJob(ports: Ports, endpoint: string, id: string, worker = 'w1'): Promise<RunningJob> {
  const taken = await take(ports, worker, { endpoint, job: id, attempt: 0, generation: 0 });
  if (taken.outcome !== 'taken') throw new Error(`The job is ${taken.outcome}.`);
  return taken.job;
}

export async function startJob(
  ports: Ports,
  endpoint: string,
  policy: object = {},
  worker = 'w1',
): Promise<RunningJob> {
  return takeJob(ports, endpoint, await submitJob(ports, endpoint, policy), worker);
}

export async function finishJob(ports: Ports, endpoint: string, report: Report): Promise<string> {
  const job = await startJob(ports, endpoint);
  await finish(ports, job, report);
  return job.id;
}
