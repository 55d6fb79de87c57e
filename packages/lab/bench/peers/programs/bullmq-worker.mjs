/** Worker of the peer `bullmq`. */
import { Worker } from 'bullmq';
import { perform } from './job.mjs';

const connection = { host: '127.0.0.1', port: Number(process.env.REDIS_PORT), maxRetriesPerRequest: null };
const worker = new Worker('jobs', (job) => perform(job.id, job.data), {
  connection,
  concurrency: Number(process.env.CONCURRENCY),
});
worker.on('error', (error) => console.error(error));
