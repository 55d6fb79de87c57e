/** Breaks of what the web console asks for. */
import type { Mutant } from './mutant.ts';

const INPUT = 'test/jobs/input.test.ts';
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
