/** Runs all checks, in the order in which their findings are printed. */
import type { App } from '../assembly/app.ts';
import { type Account, type Caller, silent } from './account.ts';
import { boundaryIn, checkBoundary } from './boundary.ts';
import { checkWaits, concurrencyNeed, lambdaNeed } from './concurrency.ts';
import type { Finding } from './finding.ts';
import { checkKeyBudgets } from './key-budgets.ts';
import { checkNamed, namedNeeds } from './named-resources.ts';
import { checkNames } from './names.ts';
import { checkAdded, networkNeeds } from './network-quotas.ts';
import { presentStacks } from './present.ts';
import { checkQuota, reportUnknown } from './quota-checks.ts';
import { quotaNeeds, unknownQuotas } from './quotas.ts';
import { checkBootstrap, checkCaller, checkEcsRole, checkPlace, checkRegion } from './target.ts';
import { checkCli, checkEngine, checkNode, type Run } from './tools.ts';
import { checkZones, zonesNeed } from './zones.ts';

/** The machine and the account that are checked. Tests pass fakes. */
export interface Outside {
  readonly node: string;
  /** Version of the CDK command in package.json, or a range of versions. */
  readonly pinned: string | undefined;
  /** Installed version of the CDK command. */
  readonly installed: string | undefined;
  /** Region of the environment variables or of the profile. */
  readonly region: string | undefined;
  /** Region in the file of the environment, to which the stacks are deployed whatever the credentials name. */
  readonly declaredRegion: string | undefined;
  /** Value of the environment variable `CDK_DOCKER`. */
  readonly engine: string | undefined;
  readonly run: Run;
  readonly account: Account;
  /** @throws Error with the output of the app if the synthesis fails */
  synthesize(): Promise<App>;
  /** Number of calls of one endpoint that the interface lets wait at the same time. */
  readonly waiting: number;
  /** Current time, in milliseconds since 1970. */
  readonly now: number;
}

async function synthesized({ synthesize }: Outside): Promise<{ finding: Finding; app?: App }> {
  const check = 'Stacks';
  try {
    const app = await synthesize();
    const stacks = new Set(app.resources.map(({ stack }) => stack)).size;
    return { finding: { check, level: 'ok', found: `${stacks} stacks are synthesized.` }, app };
  } catch (error) {
    const needed = 'Stacks that can be synthesized. The checks of what the stacks need did not run.';
    const fix = 'correct what the message names; npx gpu-endpoints validate, with the same -c, repeats this check';
    return { finding: { check, level: 'problem', found: (error as Error).message, needed, fix } };
  }
}

/** What the checks of networks and of named resources need beside the account. */
interface Target {
  readonly app: App;
  readonly region: string;
  readonly caller: Caller | undefined;
  readonly now: number;
}

/** Starts the checks of what must exist, or must be free, before a deployment begins. */
function checksBefore(account: Account, { app, region, caller, now }: Target): Promise<Finding>[] {
  const present = presentStacks(account, app.deployment.stacks);
  // Each check that needs the stacks reports a failure itself.
  present.catch(() => undefined);
  const zones = zonesNeed(app);
  return [
    ...(zones ? [checkZones(account, zones, { region, present })] : []),
    ...networkNeeds(app).map((need) => checkAdded(account, need, { region, owner: caller?.account ?? '', present })),
    ...checkNamed(account, namedNeeds(app), { region, caller: caller?.arn ?? '', now }),
  ];
}

/** Region in console links if no Region is set. */
const ANY_REGION = 'us-east-1';

export async function examine(outside: Outside): Promise<Finding[]> {
  const { node, pinned, installed, declaredRegion, engine, run, waiting } = outside;
  const region = declaredRegion ?? outside.region;
  const [stacks, who] = await Promise.all([synthesized(outside), checkCaller(outside.account)]);
  const account = who.caller && region ? outside.account : silent(who.caller ? 'No Region is set.' : who.finding.found);
  const target = who.caller && region ? ` aws://${who.caller.account}/${region}` : '';
  const local = [checkNode(node), checkCli(pinned, installed), stacks.finding];
  const here = [checkRegion(outside.region, declaredRegion), who.finding];
  if (!stacks.app) return [...local, ...here];
  const { images, bootstrap, place, stacks: declared } = stacks.app.deployment;
  const concurrency = concurrencyNeed(stacks.app, waiting);
  const boundary = boundaryIn(stacks.app);
  const needs = [lambdaNeed(concurrency), ...quotaNeeds(stacks.app)];
  const rest = await Promise.all([
    checkEngine(run, images, engine),
    checkBootstrap(account, bootstrap, target),
    checkNames(account, declared),
    checkEcsRole(account),
    ...(boundary === undefined ? [] : [checkBoundary(account, who.caller, boundary)]),
    checkWaits(account, concurrency, region ?? ANY_REGION),
    ...checksBefore(account, { app: stacks.app, region: region ?? ANY_REGION, caller: who.caller, now: outside.now }),
    ...needs.map((need) => checkQuota(account, need, region ?? ANY_REGION)),
  ]);
  const placed = place && who.caller ? [checkPlace(place, who.caller, region)] : [];
  const unknown = unknownQuotas(stacks.app).map((quota) => reportUnknown(region ?? ANY_REGION, quota));
  const budgets = checkKeyBudgets(stacks.app, region ?? ANY_REGION) ?? [];
  return [...local, ...here, ...placed, ...rest, ...unknown].concat(budgets);
}
