/** A worker for tests: a script that calls `serve`, as an author writes one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { serve } from '../../worker/serve.ts';

/** Tells the test which process this is. */
const note = (event: string, pid: number | undefined) =>
  appendFileSync(String(process.env.NOTES), `${JSON.stringify({ event, pid, at: Date.now() })}\n`);

// The supervisor has no channel to a parent.
if (process.env.BROKEN && process.send) {
  note('start', process.pid);
  throw new Error('The model cannot be loaded.');
}

const signalled = once(process, 'SIGUSR2').then(() => 'signalled');

await serve(({ id, attempt, input, signal }) => {
  note('job', process.pid);
  switch (input.op) {
    case 'answer':
      return { id, attempt, pid: process.pid };
    case 'wait':
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    case 'signal':
      return signalled;
    case 'ignore':
      note('brood', spawn('sleep', ['1000'], { stdio: 'ignore' }).pid);
      return new Promise(() => undefined);
    case 'block':
      note('brood', spawn('sleep', ['1000'], { stdio: 'ignore' }).pid);
      for (;;);
    case 'exit':
      note('brood', spawn('sleep', ['1000'], { stdio: 'ignore' }).pid);
      return process.exit(Number(input.code));
    case 'kill':
      return process.kill(process.pid, 'SIGKILL');
    case 'length':
      return { length: String(input.text).length, text: input.text };
    default:
      throw new Error('no such op');
  }
});
