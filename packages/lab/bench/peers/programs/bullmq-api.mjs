/** HTTP interface of the peer `bullmq`: `POST /jobs` queues a job, `GET /jobs/:id` returns its status. */
import { randomUUID } from 'node:crypto';
import { Job, Queue } from 'bullmq';
import Fastify from 'fastify';

// A request fails if Redis is away, instead of waiting for it: BullMQ's guide "Going to production".
const connection = { host: '127.0.0.1', port: Number(process.env.REDIS_PORT), enableOfflineQueue: false };
const queue = new Queue('jobs', { connection });
queue.on('error', (error) => console.error(error));

const app = Fastify();

app.post('/jobs', async (request) => {
  const id = randomUUID();
  await queue.add('perform', request.body, { jobId: id, attempts: 3 });
  return { id };
});

app.get('/jobs/:id', async (request, reply) => {
  const job = await Job.fromId(queue, request.params.id);
  if (!job) return reply.code(404).send({ status: 'unknown' });
  if (job.finishedOn === undefined) return { status: 'waiting' };
  return job.failedReason ? { status: 'failed' } : { status: 'done', output: job.returnvalue };
});

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
