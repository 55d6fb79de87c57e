/**
 * The job of every peer in JavaScript: it takes `ms` milliseconds. Like `examples/echo`, it appends a line to the log
 * of executions when it starts, and a line when it has its effect.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const log = process.env.EXECUTIONS ?? '';

export async function perform(job, { ms }) {
  appendFileSync(log, `${JSON.stringify({ job, event: 'start', pid: process.pid })}\n`);
  if (ms > 0) await delay(ms);
  appendFileSync(log, `${JSON.stringify({ job, event: 'effect', pid: process.pid })}\n`);
  return { ms };
}
