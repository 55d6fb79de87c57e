/** Checks Lambda's concurrent executions: reserved executions, executions of waiting calls, and the remaining ones. */
import { slotsOf } from '../../core/waiting-calls/slots.ts';
import { type App, type Resource, variablesOf } from '../assembly/app.ts';
import type { Account } from './account.ts';
import type { Finding } from './finding.ts';
import { addressOf, raiseTo } from './quota-checks.ts';
import type { Quota, QuotaNeed } from './quotas.ts';
import { warnIfUnchecked } from './target.ts';

const quota: Quota = {
  name: 'Lambda concurrent executions',
  service: 'lambda',
  code: 'L-B99A9384',
  unit: 'executions',
};

/**
 * Minimum number of executions without a reservation. AWS refuses a reservation that leaves fewer. The functions
 * without a reservation need them even if no function reserves any.
 */
const UNRESERVED = 100;

export interface ConcurrencyNeed {
  readonly endpoints: number;
  /** Number of calls that the contract lets wait at the same time, for all declared endpoints in total. */
  readonly allowed: number;
  /**
   * Number of calls that may wait in functions, set by the context `waits`.
   * @default - half of the quota, which the deployment reads
   */
  readonly waits?: number | undefined;
  /**
   * Number of calls that may wait in the ingress, where they use no executions.
   * @default - functions serve them
   */
  readonly inIngress?: number | undefined;
  /** Number of executions that functions reserve. */
  readonly reserved: number;
}

/**
 * Returns `WAITS` from the environment of a function, or undefined if it refers to a custom resource, as it does
 * without the context `waits`.
 */
function waitsIn(resource: Resource): number | undefined {
  const waits = variablesOf(resource).WAITS;
  return typeof waits === 'string' ? Number(waits) : undefined;
}

/** Returns `WAITS` from the environment of a task, or undefined. Only the ingress has that variable. */
function waitsInTask(containers: unknown): number | undefined {
  if (!Array.isArray(containers)) return undefined;
  const variables = containers.flatMap(({ Environment }) => Environment ?? []);
  const variable = variables.find(({ Name }) => Name === 'WAITS');
  return variable && Number(variable.Value);
}

/**
 * Returns how many executions the stacks need.
 * @param perEndpoint number of calls of one endpoint that the contract lets wait at the same time
 */
export function concurrencyNeed({ resources }: App, perEndpoint: number): ConcurrencyNeed {
  const functions = resources.filter(({ type }) => type === 'AWS::Lambda::Function');
  const tasks = resources.filter(({ type }) => type === 'AWS::ECS::TaskDefinition').map((each) => each.properties);
  const endpoints = resources.filter(({ type }) => type === 'Custom::Endpoint').length;
  return {
    endpoints,
    allowed: endpoints * perEndpoint,
    waits: functions.map(waitsIn).find((waits) => waits !== undefined),
    inIngress: tasks.map((task) => waitsInTask(task.ContainerDefinitions)).find((waits) => waits !== undefined),
    reserved: functions.reduce((sum, { properties }) => sum + Number(properties.ReservedConcurrentExecutions ?? 0), 0),
  };
}

/**
 * Returns the quota that the stacks need. With `max`, waiting calls leave `UNRESERVED` executions to functions
 * without a reservation.
 */
export function lambdaNeed({ waits, inIngress, reserved }: ConcurrencyNeed): QuotaNeed {
  const others = reserved + UNRESERVED;
  return {
    ...quota,
    min: reserved === 0 ? 1 : others,
    // Waiting calls use at most half of the quota, or none if they wait in the ingress.
    max: inIngress === undefined ? 2 * Math.max(others, waits ?? 0) : others,
    of: 'all functions',
  };
}

/**
 * Compares the number of calls that may wait in the ingress with the number that the contract allows. No Lambda
 * quota limits calls in the ingress.
 */
function judgeIngress({ endpoints, allowed }: ConcurrencyNeed, slots: number): Finding {
  const check = 'Calls that wait';
  const found = `Up to ${slots} calls can wait in the ingress at the same time.`;
  if (slots >= allowed) return { check, level: 'ok', found };
  return {
    check,
    level: 'warning',
    found,
    needed: `${allowed}, which the contract allows for ${endpoints} endpoints in total; calls beyond ${slots} get status 429.`,
    fix: 'deploy with a larger `ingress.maxTasks`, and without the context `waits`',
  };
}

/** Compares the number of calls that may wait with the quota, and with the number that the contract allows. */
function judge(need: ConcurrencyNeed, executions: number, region: string): Finding {
  const { endpoints, allowed, waits, reserved } = need;
  const check = 'Calls that wait';
  const half = slotsOf(executions);
  const slots = waits ?? half;
  const left = Math.max(0, executions - slots - reserved);
  const origin =
    waits === undefined ? 'which is half of the quota that the deployment reads' : 'as set by the context `waits`';
  const found = `Up to ${slots} calls can wait at the same time, ${origin}; ${reserved} executions are reserved, ${left} are left.`;
  const shared = executions - reserved;
  const max = slots >= shared ? slotsOf(shared) : half;
  if (slots > max)
    return {
      check,
      level: 'warning',
      found,
      needed: `At most ${max}: if waiting calls use all executions without a reservation, requests of all endpoints get status 429 or 500.`,
      fix: `deploy with -c waits=${max}; or ${raiseTo(region, quota, lambdaNeed(need).max)}`,
    };
  if (slots >= allowed) return { check, level: 'ok', found };
  const raised = executions < 2 * allowed ? `${raiseTo(region, quota, 2 * allowed)}; then deploy` : 'deploy';
  return {
    check,
    level: 'warning',
    found,
    needed: `${allowed}, which the contract allows for ${endpoints} endpoints in total; calls beyond ${slots} get status 429.`,
    fix: `${raised} with ${waits === undefined ? 'a new value of the context `readQuota`' : `-c waits=${allowed}`}`,
  };
}

export function checkWaits(account: Account, need: ConcurrencyNeed, region: string): Promise<Finding> {
  const check = 'Calls that wait';
  if (need.inIngress !== undefined) return Promise.resolve(judgeIngress(need, need.inIngress));
  return warnIfUnchecked(check, async () => {
    const executions = await account.quota(quota.service, quota.code);
    if (executions !== undefined) return judge(need, executions, region);
    return { check, level: 'warning', found: `This quota does not exist in ${region}.`, fix: addressOf(region, quota) };
  });
}
