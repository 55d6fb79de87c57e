/** A program that uses the types which openapi-typescript generates from both documents. */
import createClient from 'openapi-fetch';
import type { paths as JobPaths } from './jobs.js';
import type { paths as ManagementPaths } from './management.js';

const { API_KEY, JOB_API_URL, MANAGEMENT_API_URL } = process.env;
const headers = { Authorization: `Bearer ${API_KEY}` };
const jobs = createClient<JobPaths>({ baseUrl: JOB_API_URL, headers });
const management = createClient<ManagementPaths>({ baseUrl: MANAGEMENT_API_URL, headers });

const path = { endpoint: 'echo' };
const input = { text: 'hello', list: [1, null, { deep: true }], number: 1.5 };
const { data: accepted } = await jobs.POST('/{endpoint}/run', {
  params: { path },
  body: { input, policy: { ttl: 60_000 } },
});
if (!accepted) throw new Error('The job was not accepted.');
const { data: ended } = await jobs.GET('/{endpoint}/status-sync/{job}', {
  params: { path: { ...path, job: accepted.id }, query: { wait: 60_000 } },
});
const { error, response } = await jobs.GET('/{endpoint}/status/{job}', { params: { path: { ...path, job: 'none' } } });
const { data: list } = await management.GET('/templates');

console.log(
  JSON.stringify({
    job: ended?.status === 'COMPLETED' ? ended.output : ended,
    refused: [response.status, error && 'code' in error ? error.code : undefined],
    templates: Array.isArray(list?.templates),
  }),
);
