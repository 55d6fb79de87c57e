/** Breaks of what the web console asks for. */
import type { Mutant } from './mutant.ts';

const INPUT = 'test/jobs/input.test.ts';

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
];
