import { readFlags } from '../flags.ts';
import { type Kind, kinds, type Load } from './load.ts';

export const HELP = `Usage: npm run saturation -- [options]

Compares what a load demands with the default quotas of AWS and with the limits of this service, and prints what is
used up first and what to do then. Needs no AWS account: it calculates with the AWS calls of a job, which
npm run bench -w packages/lab -- calls has counted.

  --jobs-per-second N   jobs that all endpoints accept, 0.001 to 1000000          (default: 100)
  --endpoints N         endpoints, which have equal shares, 1 to 10000            (default: 20)
  --job-seconds N       running time of a job, 0.001 to 604800                    (default: 1)
  --concurrency N       jobs that a worker runs at the same time, 1 to 100        (default: 1)
  --kind KIND           run, with 3 polls; webhook, with 3 polls and a webhook;
                        large, with 1 poll and payloads of 100 KB                 (default: run)
  --workers KIND        gpu: an instance for each worker; cpu: Fargate            (default: gpu)
  --vcpus N             vCPUs of the instance or of the worker, 0.25 to 192       (default: 4)
  --s3-config           jobs have an s3Config, which KMS encrypts and decrypts
  --quota NAME=NUMBER   a quota of your account instead of AWS's default, such as lambdaConcurrency=5000; repeatable
  --all                 print all quotas, not only those of which the load uses 10 % or more
  --json                print only JSON, which has the names of all quotas
  --record              write the tables of docs/guides/load.md
  --help                print this help

The quotas are in bin/saturation/quotas.yaml, each with its day and source.

Examples:
  npm run saturation
  npm run saturation -- --jobs-per-second 500 --endpoints 1000 --kind webhook
  npm run saturation -- --jobs-per-second 20 --endpoints 5 --job-seconds 10 --quota gpuVcpus=2000 --json
`;

export interface Options {
  readonly help: boolean;
  readonly json: boolean;
  readonly all: boolean;
  readonly record: boolean;
  readonly quota: readonly string[];
  readonly load: Load;
}

const flags = {
  'jobs-per-second': { type: 'string', default: '100' },
  endpoints: { type: 'string', default: '20' },
  'job-seconds': { type: 'string', default: '1' },
  concurrency: { type: 'string', default: '1' },
  kind: { type: 'string', default: 'run' },
  workers: { type: 'string', default: 'gpu' },
  vcpus: { type: 'string', default: '4' },
  's3-config': { type: 'boolean', default: false },
  quota: { type: 'string', multiple: true, default: [] as string[] },
  all: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  record: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

interface Range {
  readonly min: number;
  readonly max: number;
  readonly whole?: boolean;
}

const ranges = {
  'jobs-per-second': { min: 0.001, max: 1_000_000 },
  endpoints: { min: 1, max: 10_000, whole: true },
  'job-seconds': { min: 0.001, max: 604_800 },
  concurrency: { min: 1, max: 100, whole: true },
  vcpus: { min: 0.25, max: 192 },
} as const satisfies Readonly<Record<string, Range>>;

function numberOf(flag: keyof typeof ranges, text: string): number {
  const { min, max, whole = false }: Range = ranges[flag];
  const isNumber = whole ? /^\d{1,9}$/.test(text) : /^\d{1,9}(?:\.\d{1,6})?$/.test(text);
  if (isNumber && Number(text) >= min && Number(text) <= max) return Number(text);
  throw new Error(`--${flag} must be a ${whole ? 'whole number' : 'number'} from ${min} to ${max}, got '${text}'.`);
}

function oneOf<Name extends string>(flag: string, names: readonly Name[], text: string): Name {
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  throw new Error(`--${flag} must be ${names.join(' or ')}, got '${text}'.`);
}

/** @throws Error for an unknown flag, or a value out of its range */
export function readOptions(args: readonly string[]): Options {
  const values = readFlags('saturation', flags, args);
  const { help, json, all, record, quota } = values;
  const load = {
    jobsPerSecond: numberOf('jobs-per-second', values['jobs-per-second']),
    endpoints: numberOf('endpoints', values.endpoints),
    jobSeconds: numberOf('job-seconds', values['job-seconds']),
    concurrency: numberOf('concurrency', values.concurrency),
    kind: oneOf('kind', Object.keys(kinds) as Kind[], values.kind),
    workers: oneOf('workers', ['cpu', 'gpu'], values.workers),
    vcpus: numberOf('vcpus', values.vcpus),
    secrets: values['s3-config'],
  };
  return { help, json, all, record, quota, load };
}
