/** Tests in which order the agent stores the progress of a job. */
import { expect, it } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import type { Jobs } from '../../core/jobs/store.ts';
import { eventually } from '../acceptance/local-service.ts';
import { busyAgent } from './busy-agent.ts';
import { ports, useEmulatedAgents } from './emulated-agents.ts';

useEmulatedAgents();

it('shows the last progress that arrived, although storing the progress before it takes longer', async () => {
  const gate = Promise.withResolvers<void>();
  let begun = 0;
  const report: Jobs['report'] = async (transition, key, facts) => {
    if (transition === 'progress' && ++begun === 1) await gate.promise;
    return ports.jobs.report(transition, key, facts);
  };
  const jobs = Object.assign(Object.create(ports.jobs) as Jobs, { report });
  const { id, post, read } = await busyAgent('progress-a', { ports: portsWith(ports, { jobs }) });

  const first = post('job-done', id, '{"status":"IN_PROGRESS","output":"first"}');
  await eventually('the first progress is being stored', () => begun === 1 || undefined);
  const second = post('job-done', id, '{"status":"IN_PROGRESS","output":"second"}');
  // The agent reads the calls about a job in their order, so it has read the second one when a later call is answered.
  expect((await post('job-stream', id, '{"output":1}')).status).toBe(200);
  gate.resolve();
  expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
  expect(await read(id)).toMatchObject({ status: 'IN_PROGRESS', output: { inline: '"second"' } });
});
