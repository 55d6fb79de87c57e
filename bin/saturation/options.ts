/** The options of `gpu-endpoints saturation` that describe a load. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Kind, kinds, type Load } from './load.ts';

export interface LoadFlags extends Omit<Load, 'secrets'> {
  readonly s3Config?: boolean;
}

/** The load of a command without options. */
export const defaults: LoadFlags = {
  jobsPerSecond: 100,
  endpoints: 20,
  jobSeconds: 1,
  concurrency: 1,
  kind: 'run',
  workers: 'gpu',
  vcpus: 4,
};

export const loadOf = ({ s3Config = false, ...flags }: LoadFlags): Load => {
  const { jobsPerSecond, endpoints, jobSeconds, concurrency, kind, workers, vcpus } = flags;
  return { jobsPerSecond, endpoints, jobSeconds, concurrency, kind, workers, vcpus, secrets: s3Config };
};

interface Range {
  readonly min: number;
  readonly max: number;
  readonly whole?: boolean;
}

/** Returns a reader of numbers of a range. */
const numberIn =
  ({ min, max, whole = false }: Range) =>
  (text: string): number => {
    const isNumber = whole ? /^\d{1,9}$/.test(text) : /^\d{1,9}(?:\.\d{1,6})?$/.test(text);
    if (isNumber && Number(text) >= min && Number(text) <= max) return Number(text);
    throw new InvalidArgumentError(`It must be a ${whole ? 'whole number' : 'number'} from ${min} to ${max}.`);
  };

/** Adds the options. */
export function withLoad(command: Command): Command {
  const number = (flags: string, text: string, range: Range, value: number) =>
    command.option(`${flags} <number>`, `${text}, ${range.min} to ${range.max}`, numberIn(range), value);
  number('--jobs-per-second', 'jobs that all endpoints accept', { min: 0.001, max: 1_000_000 }, defaults.jobsPerSecond);
  number('--endpoints', 'endpoints, which have equal shares', { min: 1, max: 10_000, whole: true }, defaults.endpoints);
  number('--job-seconds', 'running time of a job', { min: 0.001, max: 604_800 }, defaults.jobSeconds);
  number(
    '--concurrency',
    'jobs that a worker runs at the same time',
    { min: 1, max: 100, whole: true },
    defaults.concurrency,
  );
  number('--vcpus', 'vCPUs of the instance or of the worker', { min: 0.25, max: 192 }, defaults.vcpus);
  return command
    .addOption(
      new Option(
        '--kind <kind>',
        'run, with 3 polls; webhook, with 3 polls and a webhook; large, with 1 poll and payloads of 100 KB',
      )
        .choices(Object.keys(kinds) as Kind[])
        .default(defaults.kind),
    )
    .addOption(
      new Option('--workers <kind>', 'gpu: an instance for each worker; cpu: Fargate')
        .choices(['gpu', 'cpu'])
        .default(defaults.workers),
    )
    .option('--s3-config', 'jobs have an s3Config, which KMS encrypts and decrypts');
}
