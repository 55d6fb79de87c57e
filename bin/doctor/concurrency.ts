/** Checks Lambda's concurrent executions: the reserved ones, those of calls that wait, and the rest. */
import { slotsOf } from '../../core/waits/slots.ts';
import { type App, isValues } from '../synthesized/app.ts';
import type { Account } from './account.ts';
import type { Finding } from './finding.ts';
import { asked } from './place.ts';
import { addressOf, raiseTo } from './quota-checks.ts';
import type { Quota, QuotaNeed } from './quotas.ts';

const quota: Quota = {
  name: 'Lambda concurrent executions',
  service: 'lambda',
  code: 'L-B99A9384',
  unit: 'executions',
};

/**
 * AWS refuses a reservation that leaves less than this to the functions without one; they need some without any, too.
 */
const UNRESERVED = 100;

export interface ConcurrencyNeed {
  readonly endpoints: number;
  /** Calls of all declared endpoints that the contract lets wait at once. */
  readonly allowed: number;
  /**
   * Calls that may wait in functions, by the context `waits`.
   * @default - half of the quota, which the deployment reads
   */
  readonly waits?: number | undefined;
  /** Calls that may wait in the ingress, where they take no executions. @default - functions serve them */
  readonly inIngress?: number | undefined;
  /** Executions that functions reserve. */
  readonly reserved: number;
}

/**
 * Returns the number in the environment of functions whose calls wait. Without the context it refers to a custom
 * resource.
 */
function waitsIn(environment: unknown): number | undefined {
  const variables = isValues(environment) ? environment.Variables : undefined;
  const waits = isValues(variables) ? variables.WAITS : undefined;
  return typeof waits === 'string' ? Number(waits) : undefined;
}

/** Returns the number in the environment of the ingress, which is the only task that has it. */
function waitsInTask(containers: unknown): number | undefined {
  if (!Array.isArray(containers)) return undefined;
  const variables = containers.flatMap(({ Environment }) => Environment ?? []);
  const variable = variables.find(({ Name }) => Name === 'WAITS');
  return variable && Number(variable.Value);
}

/**
 * Returns how many executions the stacks need.
 * @param perEndpoint calls of an endpoint that the contract lets wait at once
 */
export function concurrencyNeed({ resources }: App, perEndpoint: number): ConcurrencyNeed {
  const functions = resources.filter(({ type }) => type === 'AWS::Lambda::Function').map((each) => each.properties);
  const tasks = resources.filter(({ type }) => type === 'AWS::ECS::TaskDefinition').map((each) => each.properties);
  const endpoints = resources.filter(({ type }) => type === 'Custom::Endpoint').length;
  return {
    endpoints,
    allowed: endpoints * perEndpoint,
    waits: functions.map(({ Environment }) => waitsIn(Environment)).find((waits) => waits !== undefined),
    inIngress: tasks.map((task) => waitsInTask(task.ContainerDefinitions)).find((waits) => waits !== undefined),
    reserved: functions.reduce((sum, each) => sum + Number(each.ReservedConcurrentExecutions ?? 0), 0),
  };
}

/**
 * Returns the quota that the stacks need: with `most`, calls that wait leave `UNRESERVED` executions to functions
 * without a reservation.
 */
export function lambdaNeed({ waits, inIngress, reserved }: ConcurrencyNeed): QuotaNeed {
  const others = reserved + UNRESERVED;
  return {
    ...quota,
    least: reserved === 0 ? 1 : others,
    // Calls that wait have at most half, and none in the ingress.
    most: inIngress === undefined ? 2 * Math.max(others, waits ?? 0) : others,
    of: 'all functions',
  };
}

/** Compares the calls that the ingress lets wait with what the contract allows: no quota of Lambda bounds them. */
function judgeIngress({ endpoints, allowed }: ConcurrencyNeed, slots: number): Finding {
  const check = 'Calls that wait';
  const found = `${slots} calls may wait at once, in the ingress.`;
  if (slots >= allowed) return { check, level: 'ok', found };
  return {
    check,
    level: 'warning',
    found,
    needed: `${allowed} for ${endpoints} endpoints, all at once, as the contract allows; calls beyond ${slots} are a 429.`,
    fix: 'deploy with a larger `ingress.maxTasks`, and without the context `waits`',
  };
}

/** Compares the calls that the deployment lets wait with the quota, and with what the contract allows. */
function judge(need: ConcurrencyNeed, executions: number, region: string): Finding {
  const { endpoints, allowed, waits, reserved } = need;
  const check = 'Calls that wait';
  const half = slotsOf(executions);
  const slots = waits ?? half;
  const left = Math.max(0, executions - slots - reserved);
  const origin = waits === undefined ? 'half of the quota that the deployment reads' : 'as the context `waits` says';
  const found = `${slots} calls may wait at once, ${origin}; ${reserved} executions are reserved, ${left} are left.`;
  const shared = executions - reserved;
  const most = slots >= shared ? slotsOf(shared) : half;
  if (slots > most)
    return {
      check,
      level: 'warning',
      found,
      needed: `At most ${most}: if calls that wait use up the executions without a reservation, requests of all endpoints are a 429 or 500.`,
      fix: `deploy with -c waits=${most}; or ${raiseTo(region, quota, lambdaNeed(need).most)}`,
    };
  if (slots >= allowed) return { check, level: 'ok', found };
  const raised = executions < 2 * allowed ? `${raiseTo(region, quota, 2 * allowed)}; then deploy` : 'deploy';
  return {
    check,
    level: 'warning',
    found,
    needed: `${allowed} for ${endpoints} endpoints, all at once, as the contract allows; calls beyond ${slots} are a 429.`,
    fix: `${raised} with ${waits === undefined ? 'another text in the context `readQuota`' : `-c waits=${allowed}`}`,
  };
}

export function checkWaits(account: Account, need: ConcurrencyNeed, region: string): Promise<Finding> {
  const check = 'Calls that wait';
  if (need.inIngress !== undefined) return Promise.resolve(judgeIngress(need, need.inIngress));
  return asked(check, async () => {
    const executions = await account.quota(quota.service, quota.code);
    if (executions !== undefined) return judge(need, executions, region);
    return { check, level: 'warning', found: `AWS knows no such quota in ${region}.`, fix: addressOf(region, quota) };
  });
}
