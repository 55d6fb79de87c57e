/** Breaks of what the web console asks for. */
import type { Mutant } from './mutant.ts';

const INPUT = 'test/jobs/input.test.ts';
const WORKERS = 'test/jobs/workers.test.ts';
const FIND_JOB = 'test/jobs/find-job.test.ts';

export const consoleRouteMutants: readonly Mutant[] = [
  {
    name: 'the input of a job is its sealed s3Config',
    file: 'core/jobs/input.ts',
    replace: 'loadBytes(world, job, job.input)',
    by: 'loadBytes(world, job, job.s3Config ?? job.input)',
    test: INPUT,
    named: 'has nothing of s3Config',
  },
  {
    name: 'the input of a job is parsed on its way',
    file: 'core/jobs/input.ts',
    replace: 'new JsonText([await loadBytes(world, job, job.input)])',
    by: 'new JsonText([JSON.stringify(JSON.parse(String(await loadBytes(world, job, job.input))))])',
    test: INPUT,
    named: 'byte for byte',
  },
  {
    name: 'the input of a job is told after its result has expired',
    file: 'core/jobs/input.ts',
    replace: 'const { job } = await find(world, key);',
    by: 'const job = await world.jobs.read(key);\n  if (!job) return (await find(world, key)) as never;',
    test: INPUT,
    named: 'until the result expires',
  },
  {
    name: 'a worker that was lost is called idle',
    file: 'core/workers/state.ts',
    replace: "if (!isAlive(lease, now)) return 'UNHEALTHY';",
    by: '',
    test: WORKERS,
    named: 'counts as /health',
  },
  {
    name: 'a worker that ECS refuses to protect is called idle',
    file: 'core/workers/state.ts',
    replace: "if (isRefused(lease)) return 'THROTTLED';",
    by: '',
    test: WORKERS,
    named: 'counts as /health',
  },
  {
    name: 'a worker that starts is called idle',
    file: 'core/workers/state.ts',
    replace: "if (isStarting(lease)) return 'INITIALIZING';",
    by: '',
    test: WORKERS,
    named: 'counts as /health',
  },
  {
    name: 'a worker has the version of the newest release',
    file: 'core/management/workers.ts',
    replace: 'releases.get(revision)',
    by: 'releases.get(Math.max(...releases.keys()))',
    test: WORKERS,
    named: 'the release that it runs',
  },
  {
    name: 'a worker shows what its code has written in place of jobs',
    file: 'core/management/workers.ts',
    replace: 'jobs: jobs.filter((job) => JOB_ID.test(job)),',
    by: 'jobs,',
    test: WORKERS,
    named: 'no id of a job',
  },
  {
    name: 'workers read as many releases as leases name',
    file: 'core/management/workers.ts',
    replace: '.slice(0, MOST_REVISIONS)',
    by: '',
    test: WORKERS,
    named: 'many revisions',
  },
  {
    name: 'a job is found in endpoints that the key may not call',
    file: 'core/management/find-job.ts',
    replace: "permitted.includes('*') || permitted.includes(endpoint)",
    by: 'permitted.length > 0',
    test: FIND_JOB,
    named: 'may not call',
  },
  {
    name: 'a job is looked for in one hundred endpoints and no more',
    file: 'core/management/find-job.ts',
    replace: 'n += lookLimits.batch',
    by: 'n += Number.POSITIVE_INFINITY',
    test: FIND_JOB,
    named: 'more endpoints than a batch',
  },
  {
    name: 'a job that was left out of a batch is called missing',
    file: 'core/management/find-job.ts',
    replace: "left = left.filter((_, n) => read[n] === 'not read');",
    by: 'left = [];',
    test: FIND_JOB,
    named: 'left out of a batch',
  },
  {
    name: 'a job that is found has the status that is stored',
    file: 'core/management/find-job.ts',
    replace: '(await foundFrom(world, stored, stored)).job',
    by: 'stored',
    test: FIND_JOB,
    named: 'by the clock',
  },
];
