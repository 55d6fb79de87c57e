/** Describes `gpu-endpoints cost estimate` and `saturation`, which calculate without an AWS account. */
import { type Command, Help } from 'commander';
import { withExample } from '../example.ts';
import { withLoad } from '../saturation/options.ts';
import { quotaNames } from '../saturation/quota-names.ts';
import { type CostFlags, ofStacks, printing, type SaturationFlags } from './options.ts';

/** Maximum characters of a line of the names. */
const LINE = 100;

/** Returns the command `cost`. */
export function addCost(program: Command): Command {
  const cost = withExample(
    program.command('cost').description('print what the stacks, an hour of a worker and jobs cost'),
    'cost estimate --env prod',
  );
  ofStacks(
    cost
      .command('estimate')
      .description('print what a month in which nothing runs, an hour of a worker and a million jobs cost')
      .option('--app <folder>', 'price the synthesized stacks in this folder, such as cdk.out')
      .option('--region <region>', 'Region of the prices (default: that of the environment, then us-east-1)')
      .option('--all', 'print each charge, all kinds of jobs, and prices of what is stored and moved')
      .option('--record', 'also write the standing costs to docs/reference/costs.md'),
    'cost estimate --env prod',
    `The costs of jobs are based on the calls that the benchmarks of this project have counted, and on the prices in
lib/prices, each with its day and source. Needs no AWS account. Exits with 1 if a resource has no price, because the
sums are then incomplete.`,
  ).action(async (flags: CostFlags) => {
    const { estimate } = await import('../cost.ts');
    await estimate(flags);
  });
  return cost;
}

export function addSaturation(program: Command): void {
  printing(
    withLoad(
      program
        .command('saturation')
        .description('print which quota of AWS or limit of the service a load uses up first'),
    )
      .option(
        '--quota <name=number>',
        "a quota of your account instead of AWS's default, such as lambdaConcurrency=5000; repeatable",
        (value: string, others: readonly string[] = []) => [...others, value],
      )
      .option('--all', 'print all quotas, not only those of which the load uses 10 % or more')
      .option('--record', 'write the tables of docs/reference/quotas.md'),
    'saturation --jobs-per-second 500 --endpoints 1000 --kind webhook',
    () => `Compares what a load demands with the default quotas of AWS and with the limits of this service, and prints what
to do when the first is used up. Needs no AWS account: it calculates with the AWS calls of a job that the benchmarks
of this project have counted.

${new Help().boxWrap(`Quotas: ${quotaNames().join(', ')}`, LINE)}`,
  ).action(async (flags: SaturationFlags) => {
    const { saturation } = await import('../saturation.ts');
    saturation(flags);
  });
}
