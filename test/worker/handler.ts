/** A worker for tests: a script that calls `serve`, like the script of a worker's author. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Handler, serve } from '../../worker/sdk/serve.ts';

/** Writes an event with the id of its process to the file that the test reads. */
const record = (event: string, pid: number | undefined) =>
  appendFileSync(String(process.env.EVENTS), `${JSON.stringify({ event, pid, at: Date.now() })}\n`);

// The supervisor has no channel to a parent process.
if (process.env.BROKEN && process.send) {
  record('start', process.pid);
  throw new Error('The model cannot be loaded.');
}

const signalled = once(process, 'SIGUSR2').then(() => 'signalled');

async function* generate(input: Readonly<Record<string, unknown>>) {
  for (const value of [input.values].flat()) yield value;
  if (input.message) throw new Error(String(input.message));
  return input.result;
}

const handle: Handler = ({ id, attempt, input, signal, chunk }) => {
  record('job', process.pid);
  switch (input.op) {
    case 'answer':
      return { id, attempt, pid: process.pid };
    case 'wait':
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    case 'signal':
      return signalled;
    case 'ignore':
      record('child', spawn('sleep', ['1000'], { stdio: 'ignore' }).pid);
      return new Promise(() => undefined);
    case 'block':
      record('child', spawn('sleep', ['1000'], { stdio: 'ignore' }).pid);
      // Blocks forever without using the processor.
      return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    case 'exit':
      record('child', spawn('sleep', ['1000'], { stdio: 'ignore' }).pid);
      return process.exit(Number(input.code));
    case 'kill':
      return process.kill(process.pid, 'SIGKILL');
    case 'generate':
      return generate(input);
    case 'chunks':
      // The handler does not await these chunks.
      for (let n = 0; n < Number(input.chunks); n += 1) void chunk(n, { output_tokens: n });
      return { chunks: input.chunks };
    case 'drip':
      return (async function* () {
        for (;;) yield await delay(5, 'drop');
      })();
    case 'length':
      return { length: String(input.text).length, text: input.text };
    default:
      throw new Error('no such op');
  }
};

await serve(handle, { aggregateStream: process.env.AGGREGATE === 'true' });
