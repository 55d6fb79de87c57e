/** Prints the number of characters of the events of a list of numbers. The argument is the size of the list in bytes. */
import type { Job } from '../../core/jobs/job.ts';
import { eventsOf } from '../../core/openai/result.ts';

const output = Buffer.alloc(Number(process.argv[2]), ',1');
output.write('[');
output.write(' ]', output.length - 2);

const job = { endpoint: 'e', id: 'j', status: 'COMPLETED', output: { object: '2/e/j/output' } };
const ports = {
  objects: { read: async () => output, write: async () => undefined },
  payloads: { read: async () => '', write: async () => undefined },
};
let length = 0;
for await (const piece of eventsOf(ports, job as unknown as Extract<Job, { finishedAt: number }>))
  length += piece.length;
console.log(length);
