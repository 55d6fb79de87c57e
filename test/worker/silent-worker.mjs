/** A worker that takes one job, reports it if REPORTS is set, and then only pings, as SDK 1.7.4 does after `sys.exit`. */
import { setTimeout as delay } from 'node:timers/promises';

const agent = `http://127.0.0.1:${process.env.AGENT_PORT}/v2/${process.env.ENDPOINT_ID}`;
const taken = await fetch(`${agent}/job-take/self?job_in_progress=0`);
const { id } = await taken.json();
if (process.env.REPORTS) await fetch(`${agent}/job-done/self/${id}`, { method: 'POST', body: '{"output":1}' });
for (;;) {
  const answered = await fetch(`${agent}/ping/self?runpod_version=1.7.4`).catch(() => undefined);
  if (!answered) break;
  await answered.arrayBuffer();
  await delay(20);
}
