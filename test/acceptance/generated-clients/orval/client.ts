/** A program that uses the functions which orval generates from both documents. */
import { run, status, statusSync } from './jobs.js';
import { listTemplates } from './management.js';

const options = { headers: { Authorization: `Bearer ${process.env.API_KEY}` } };

const input = { text: 'hello', list: [1, null, { deep: true }], number: 1.5 };
const accepted = await run('echo', { input, policy: { ttl: 60_000 } }, options);
if (accepted.status !== 200) throw new Error(`The job was not accepted: ${accepted.status}.`);
const { data: ended } = await statusSync('echo', accepted.data.id, { wait: 60_000 }, options);
const refused = await status('echo', 'none', {}, options);
const list = await listTemplates({}, options);

console.log(
  JSON.stringify({
    job: 'status' in ended && ended.status === 'COMPLETED' ? ended.output : ended,
    refused: [refused.status, 'code' in refused.data ? refused.data.code : undefined],
    templates: list.status === 200 && Array.isArray(list.data.templates),
  }),
);
