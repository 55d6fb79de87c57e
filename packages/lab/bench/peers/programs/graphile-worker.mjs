/** Worker of the peer `graphile-worker`. */
import { run } from 'graphile-worker';
import { perform } from './job.mjs';

const runner = await run({
  connectionString: process.env.DATABASE_URL,
  concurrency: Number(process.env.CONCURRENCY),
  taskList: {
    perform: async ({ id, input }, { query }) => {
      const output = await perform(id, input);
      await query("update jobs set status = 'done', output = $2 where id = $1", [id, output]);
    },
  },
});
await runner.promise;
