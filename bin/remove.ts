/**
 * `gpu-endpoints remove`: removes an endpoint or a deployment from AWS in the right order, or prepares the removal of a pool.
 */
import { systemClock } from '../core/clock.ts';
import { isEndpointId } from '../core/endpoints/endpoint-id.ts';
import { type Context, settingsOf } from './assembly/context.ts';
import { type ChosenDeployment, chosenDeployment } from './chosen-deployment.ts';
import { printJson } from './client/print.ts';
import { regionOf } from './doctor/region.ts';
import { createAccount } from './remove/aws-account.ts';
import { confirmed } from './remove/confirm.ts';
import { type Facts, readFacts, type Target } from './remove/facts.ts';
import { perform } from './remove/perform.ts';
import { type Plan, planOf } from './remove/plan.ts';
import { afterText, keptText, nothingText, planText } from './remove/print.ts';
import type { RemoveFlags } from './repository/options.ts';
import { askAtTerminal, INTERRUPTED, NOT_CONFIRMED } from './terminal.ts';
import { UsageError } from './usage-error.ts';

interface Removal {
  readonly context: Context;
  readonly chosen: ChosenDeployment;
  readonly yes: boolean;
  readonly force: boolean;
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
  console.log(['', ...keptText(facts, agreed, true), ...afterText(agreed, chosen, context)].join('\n'));
}

/**
 * Prints the plan.
 * @throws Error if the plan must not be performed
 */
function show(facts: Facts, target: Target, plan: Plan, isJson: boolean): void {
  if (isJson) printJson({ ...plan, kept: facts.kept });
  else if (plan.steps.length > 0) console.log(planText(facts, plan, target).join('\n'));
  else console.log([nothingText(facts, target), ...keptText(facts, target, true)].join('\n'));
  if (plan.refusals.length > 0) throw new Error(plan.refusals.join('\n'));
}

type Targeting = (deployment: string) => Target;

async function run(targetOf: Targeting, { yes = false, force = false, json = false, ...flags }: RemoveFlags) {
  const context = settingsOf(flags);
  const chosen = chosenDeployment(context);
  const target = targetOf(chosen.deployment);
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

/** @throws UsageError if the name is not that of an endpoint or a pool */
export function removeNamed(of: 'endpoint' | 'pool', name: string, flags: RemoveFlags): Promise<void> {
  if (isEndpointId(name)) return run(() => ({ of, name }), flags);
  throw new UsageError(
    `The name of the ${of} must be at most 63 lower-case letters, digits and inner hyphens, got ${JSON.stringify(name)}.`,
  );
}

/** @throws UsageError if `withStorage` is not the name of the deployment */
export function removeDeployment({ withStorage, ...flags }: RemoveFlags): Promise<void> {
  return run((deployment) => {
    if (withStorage !== undefined && withStorage !== deployment)
      throw new UsageError(
        `--with-storage must be the name of the deployment, ${deployment}, got ${JSON.stringify(withStorage)}.`,
      );
    return { of: 'deployment', withStorage: withStorage !== undefined };
  }, flags);
}
