/**
 * `npm run remove`: removes an endpoint or a deployment from AWS in the right order, or prepares the removal of a pool.
 */
import { systemClock } from '../core/clock.ts';
import { isEndpointId } from '../core/endpoints/endpoint-id.ts';
import { type Context, contextFrom, contextOption } from './assembly/context.ts';
import { type ChosenDeployment, chosenDeployment } from './chosen-deployment.ts';
import { regionOf } from './doctor/region.ts';
import { printText, readArguments, runCommand } from './flags.ts';
import { createAccount } from './remove/aws-account.ts';
import { confirmed } from './remove/confirm.ts';
import { type Facts, readFacts, type Target } from './remove/facts.ts';
import { MAX_AT_ONCE, perform } from './remove/perform.ts';
import { type Plan, planOf } from './remove/plan.ts';
import { afterText, keptText, nothingText, planText } from './remove/print.ts';
import { askAtTerminal, INTERRUPTED, NOT_CONFIRMED } from './terminal.ts';
import { UsageError } from './usage-error.ts';

const HELP = `Usage: npm run remove -- endpoint NAME [options]
       npm run remove -- pool NAME [options]
       npm run remove -- deployment [options]

Removes an endpoint or a deployment, or prepares the removal of a pool, whether it is declared or not. First it shows
what it deletes, what it waits for and what it keeps, and asks. It prints each deleted resource, and can be interrupted
and repeated at any time: CloudFormation continues, and the next run waits for what is being deleted, repeats what has
failed, and skips what is gone.

endpoint deletes the stack of an endpoint. pool waits until no instance of a pool is left, and prints how to remove the
pool from the stack Fleet; it refuses while endpoints use the pool. deployment deletes all endpoints, ${MAX_AT_ONCE} at a time, then
Templates and Management, waits until no pool has an instance, and deletes Platform and Fleet. It keeps Storage, unless
you type the name of the deployment. Tables, the bucket, the key, the file system and the user pool are always kept; the
command prints their names and the commands that delete them.

  -c, --context NAME=VALUE   a setting as for cdk, such as -c deployment=NAME or -c environment=NAME; repeatable
  --yes                      do not ask
  --with-storage NAME        also delete the stack Storage of the deployment NAME, and keep its data
  --force                    also remove endpoints that have jobs: running jobs stop, and waiting jobs do not start
  --json                     print only JSON: the steps, refusals, warnings and what is kept; remove nothing, and exit
                             with 1 if there are refusals
  --help                     print this help

Without a terminal and without --yes, the command only shows what it would do, and exits with 2.

The command calls these AWS actions: sts:GetCallerIdentity; cloudformation:DescribeStacks, ListStacks,
ListStackResources, GetTemplate, DescribeStackEvents, DeleteStack and UpdateTerminationProtection;
autoscaling:DescribeAutoScalingGroups; dynamodb:Scan and DescribeTable; ec2:DescribeNetworkInterfaces and
DescribeSecurityGroups. CloudFormation deletes the resources with the role that deployed them.

Examples:
  npm run remove -- endpoint echo
  npm run remove -- deployment -c environment=test --yes --with-storage gpu-endpoints-test
`;

const flag = { type: 'boolean', default: false } as const;
const options = {
  ...contextOption,
  yes: flag,
  'with-storage': { type: 'string' },
  force: flag,
  json: flag,
  help: flag,
} as const;

interface Removal {
  readonly context: Context;
  readonly chosen: ChosenDeployment;
  readonly yes: boolean;
  readonly force: boolean;
}

/** @throws UsageError */
function targetOf([of, name, ...others]: readonly string[], storage: string | undefined, deployment: string): Target {
  if (others.length > 0 || (of === 'deployment') !== (name === undefined))
    throw new UsageError('remove takes endpoint NAME, pool NAME or deployment; --help shows the usage.');
  if (storage !== undefined && of !== 'deployment') throw new UsageError('Only deployment takes --with-storage.');
  if (storage !== undefined && storage !== deployment)
    throw new UsageError(
      `--with-storage must be the name of the deployment, ${deployment}, got ${JSON.stringify(storage)}.`,
    );
  if (of === 'deployment') return { of, withStorage: storage !== undefined };
  if ((of === 'endpoint' || of === 'pool') && name !== undefined) {
    if (isEndpointId(name)) return { of, name };
    throw new UsageError(
      `The name of the ${of} must be at most 63 lower-case letters, digits and inner hyphens, got ${JSON.stringify(name)}.`,
    );
  }
  throw new UsageError(`The first argument must be endpoint, pool or deployment, got ${JSON.stringify(of)}.`);
}

/** @throws Error if the Region or the account is not that of the environment */
function checkPlace({ env }: ChosenDeployment, region: string, account?: string): void {
  if (!env) return;
  if (env.region !== region)
    throw new Error(
      `The deployment is in ${env.region}, but the Region is ${region}: export AWS_REGION=${env.region}.`,
    );
  if (account !== undefined && env.account !== account)
    throw new Error(`The deployment is in the account ${env.account}, but the credentials are for ${account}.`);
}

/** On a signal, prints what CloudFormation continues to delete, and exits with 130. */
function exitOnSignal(deleting: ReadonlySet<string>): void {
  const stop = () => {
    const names = [...deleting].join(', ');
    console.error(
      `\nStopped. ${names ? `CloudFormation continues to delete ${names}.` : 'CloudFormation deletes nothing.'}`,
    );
    console.error('Run the same command again to continue: it waits for what is being deleted.');
    process.exit(INTERRUPTED);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}

/** Returns a function that prints a line after the seconds since now. */
function printWithTime(): (line: string) => void {
  const begin = Date.now();
  return (line) => console.log(`[${`${Math.round((Date.now() - begin) / 1000)}`.padStart(4)} s] ${line}`);
}

/** Asks, removes, and prints what stays. */
async function remove(facts: Facts, target: Target, { context, chosen, yes, force }: Removal): Promise<void> {
  const agreed = yes ? target : await confirmed(facts, target, askAtTerminal());
  if (!agreed) {
    process.exitCode = NOT_CONFIRMED;
    return;
  }
  const deleting = new Set<string>();
  exitOnSignal(deleting);
  const ports = { account: createAccount(facts.region), clock: systemClock, print: printWithTime() };
  await perform(ports, planOf(facts, agreed, force), deleting).catch((error: Error) => {
    throw new Error(`${error.message}\nRun the same command again to continue.`, { cause: error });
  });
  printText(['', ...keptText(facts, agreed, true), ...afterText(agreed, chosen, context)].join('\n'));
}

/**
 * Prints the plan.
 * @throws Error if the plan must not be performed
 */
function show(facts: Facts, target: Target, plan: Plan, isJson: boolean): void {
  if (isJson) console.log(JSON.stringify({ ...plan, kept: facts.kept }, undefined, 2));
  else if (plan.steps.length > 0) printText(planText(facts, plan, target).join('\n'));
  else printText([nothingText(facts, target), ...keptText(facts, target, true)].join('\n'));
  if (plan.refusals.length > 0) throw new Error(plan.refusals.join('\n'));
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments('remove', options, process.argv.slice(2));
  const { help, yes, force, json, 'with-storage': storage } = values;
  if (help) return printText(HELP);
  const context = contextFrom(values.context);
  const chosen = chosenDeployment(context);
  const target = targetOf(positionals, storage, chosen.deployment);
  const region = await regionOf(process.env);
  if (!region) throw new Error('No Region is set: export AWS_REGION=us-east-1, or aws configure set region us-east-1.');
  checkPlace(chosen, region);
  const place = { deployment: chosen.deployment, region };
  const facts = await readFacts(createAccount(region), place, target, force);
  checkPlace(chosen, region, facts.account);
  const plan = planOf(facts, target, force);
  show(facts, target, plan, json);
  if (plan.steps.length > 0 && !json) await remove(facts, target, { context, chosen, yes, force });
}

runCommand(main);
