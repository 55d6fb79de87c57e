/**
 * HTTP interface of the peer `graphile-worker`: `POST /jobs` queues a job, `GET /jobs/:id` returns its status.
 * graphile-worker deletes a job that has succeeded, so that an own table holds the status. The row and the job are
 * added in one transaction.
 */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
pool.on('error', (error) => console.error(error));
await runMigrations({ pgPool: pool });
await pool.query('create table if not exists jobs (id uuid primary key, status text not null, output json)');

const app = Fastify();

app.post('/jobs', async (request) => {
  const id = randomUUID();
  const client = await pool.connect();
  let failure;
  try {
    await client.query('begin');
    await client.query("insert into jobs (id, status) values ($1, 'waiting')", [id]);
    await client.query("select graphile_worker.add_job('perform', $1::json)", [{ id, input: request.body }]);
    await client.query('commit');
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    // With an error, the pool closes the connection, which ends the transaction.
    client.release(failure);
  }
  return { id };
});

app.get('/jobs/:id', async (request, reply) => {
  const { rows } = await pool.query('select status, output from jobs where id = $1', [request.params.id]);
  return rows[0] ?? reply.code(404).send({ status: 'unknown' });
});

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
