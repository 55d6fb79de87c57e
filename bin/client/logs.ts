/** `gpu-endpoints logs`: prints and follows what workers have printed. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { call, segment } from './call.ts';
import { untilInterrupted } from './interrupt.ts';
import { hasEnded, type JobRecord } from './job.ts';
import { type CommonOptions, common, serviceOf } from './options.ts';
import { printJson } from './print.ts';

/** Milliseconds between two reads. Lines arrive in the logs within seconds. */
const PAUSE = 2_000;

interface Line {
  readonly time: string;
  readonly source: string;
  readonly message: string;
  readonly truncated?: boolean;
}

interface JobLog extends Pick<JobRecord, 'id' | 'status' | 'attempts' | 'workerId'> {
  readonly lines: readonly Line[];
  readonly nextCursor?: string;
}

interface LogsOptions extends CommonOptions {
  readonly job: string;
  readonly follow?: boolean;
}

const print = ({ time, source, message, truncated }: Line) =>
  console.log(`${time}  ${source.padEnd('worker'.length)}  ${message}${truncated ? ' …' : ''}`);

async function logs(endpoint: string, options: LogsOptions): Promise<void> {
  const service = serviceOf(options);
  const path = `/${segment(endpoint)}/logs/${segment(options.job)}`;
  await untilInterrupted(
    () => `The log of ${options.job} goes on.`,
    async (signal) => {
      let cursor: string | undefined;
      let printed = 0;
      for (;;) {
        const page: JobLog = await call(service, 'jobs', 'GET', path, { query: { cursor }, signal });
        for (const line of page.lines) {
          if (options.json) printJson(line);
          else print(line);
        }
        printed += page.lines.length;
        cursor = page.nextCursor;
        const isOver = cursor === undefined || (page.lines.length === 0 && (!options.follow || hasEnded(page)));
        if (isOver) break;
        if (page.lines.length === 0) await pause(PAUSE, undefined, { signal });
      }
      if (printed === 0 && !options.json) console.error(`${options.job} has no lines yet: it has not run.`);
    },
  );
}

export function addLogs(program: Command): void {
  common(
    program
      .command('logs')
      .description('print what the worker and its agent have printed for a job')
      .argument('<endpoint>', 'id of the endpoint')
      .requiredOption('--job <job>', 'id of the job')
      .option('-f, --follow', 'go on until the job ends'),
    'GET /v2/ENDPOINT/logs/JOB, each of its lines in one line',
    'logs chat --job JOB_ID -f',
  ).action(logs);
}
