/**
 * Tests the doctor's checks of Lambda's concurrent executions: reserved executions, executions of waiting calls,
 * and the rest.
 */
import { describe, expect, it } from '@jest/globals';
import { appOf, type Template } from '../../../bin/assembly/app.ts';
import { type Account, silent } from '../../../bin/doctor/account.ts';
import { checkWaits, concurrencyNeed, lambdaNeed } from '../../../bin/doctor/concurrency.ts';

/**
 * Number of waiting calls that the contract allows for each endpoint: 400 of `/runsync`, and 400 of
 * `/status-sync`.
 */
const PER_ENDPOINT = 800;

interface Declared {
  readonly endpoints?: number;
  /** Value of the context `waits`. */
  readonly waits?: number;
  readonly reserved?: readonly number[];
  /** Number of calls that may wait in the ingress. */
  readonly ingress?: number;
}

/** A task definition with the number of waiting calls in its environment. Workers have no such number. */
const task = (...variables: { Name: string; Value: string }[]) => ({
  Type: 'AWS::ECS::TaskDefinition',
  Properties: { ContainerDefinitions: [{ Name: 'container', Environment: variables }, { Name: 'other' }] },
});

function needOf({ endpoints = 0, waits, reserved = [], ingress }: Declared) {
  const lambda = (properties: object) => ({ Type: 'AWS::Lambda::Function', Properties: { ...properties } });
  const WAITS = waits === undefined ? { 'Fn::GetAtt': ['Slots', 'slots'] } : String(waits);
  const functions = [
    lambda({}),
    task({ Name: 'ENDPOINT_ID', Value: 'e0' }),
    ingress === undefined
      ? lambda({ Environment: { Variables: { WAITS } } })
      : task({ Name: 'WAITS', Value: String(ingress) }),
    ...reserved.map((ReservedConcurrentExecutions) => lambda({ ReservedConcurrentExecutions })),
  ];
  const Platform: Template = { Resources: Object.fromEntries(functions.map((each, at) => [`F${at}`, each])) };
  const declared = Array.from({ length: endpoints }, (_, at): [string, Template] => [
    `Endpoint-e${at}`,
    { Resources: { Registration: { Type: 'Custom::Endpoint', Properties: { id: `e${at}` } } } },
  ]);
  return concurrencyNeed(appOf({ Platform, ...Object.fromEntries(declared) }), PER_ENDPOINT);
}

const accountWith = (quota: number | undefined): Account => ({
  ...silent('Not asked.'),
  quota: (service, code) => Promise.resolve(`${service}/${code}` === 'lambda/L-B99A9384' ? quota : undefined),
});

const findingWith = (declared: Declared, quota: number | undefined) =>
  checkWaits(accountWith(quota), needOf(declared), 'eu-west-1');

const raised = (executions: number) =>
  `https://eu-west-1.console.aws.amazon.com/servicequotas/home/services/lambda/quotas/L-B99A9384, or aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${executions}`;

describe('the executions that the stacks need', () => {
  it.each<[string, Declared, number, number]>([
    ['without a setting', {}, 1, 200],
    ['with reservations, which must leave 100', { reserved: [100, 35] }, 235, 470],
    ['with the context `waits`, where at most half of the executions serve waiting calls', { waits: 500 }, 1, 1_000],
    ['with the ingress, where calls wait', { ingress: 20_000 }, 1, 100],
    ['with the context `waits` and reservations', { waits: 100, reserved: [100, 35] }, 235, 470],
  ])('have a minimum and a maximum %s: %j', (_, declared, min, max) => {
    expect(lambdaNeed(needOf(declared))).toMatchObject({ code: 'L-B99A9384', min, max });
  });
});

describe('the slots for calls that wait in the ingress', () => {
  it('are enough if they cover what the contract allows the declared endpoints, regardless of the quota', async () => {
    expect(await findingWith({ endpoints: 25, ingress: 20_000 }, 10)).toEqual({
      check: 'Calls that wait',
      level: 'ok',
      found: 'Up to 20000 calls can wait in the ingress at the same time.',
    });
  });

  it('are too few if the contract allows more, and the fix is more tasks', async () => {
    expect(await findingWith({ endpoints: 3, ingress: 2_000 }, 1_000)).toEqual({
      check: 'Calls that wait',
      level: 'warning',
      found: 'Up to 2000 calls can wait in the ingress at the same time.',
      needed: '2400, which the contract allows for 3 endpoints in total; calls beyond 2000 get status 429.',
      fix: 'deploy with a larger `ingress.maxTasks`, and without the context `waits`',
    });
  });
});

describe('the slots for calls that wait in functions', () => {
  it('are half of the quota, and are enough if they cover what the contract allows the declared endpoints', async () => {
    expect(await findingWith({ endpoints: 2, reserved: [100, 35] }, 3_200)).toEqual({
      check: 'Calls that wait',
      level: 'ok',
      found:
        'Up to 1600 calls can wait at the same time, which is half of the quota that the deployment reads; 135 executions are reserved, 1465 are left.',
    });
  });

  it('are too few if the contract allows more, and the fix is a larger quota and the next step', async () => {
    expect(await findingWith({ endpoints: 2 }, 3_199)).toEqual({
      check: 'Calls that wait',
      level: 'warning',
      found:
        'Up to 1599 calls can wait at the same time, which is half of the quota that the deployment reads; 0 executions are reserved, 1600 are left.',
      needed: '1600, which the contract allows for 2 endpoints in total; calls beyond 1599 get status 429.',
      fix: `${raised(3_200)}; then deploy with a new value of the context \`readQuota\``,
    });
  });

  it.each([
    [10_000, 'deploy with -c waits=1600'],
    [1_000, `${raised(3_200)}; then deploy with -c waits=1600`],
  ])('are too few if the context `waits` is less than the contract allows, with a quota of %d', async (quota, fix) => {
    expect(await findingWith({ endpoints: 2, waits: 250 }, quota)).toMatchObject({
      level: 'warning',
      found: expect.stringContaining('Up to 250 calls can wait at the same time, as set by the context `waits`'),
      needed: expect.stringContaining('calls beyond 250 get status 429'),
      fix,
    });
  });

  it('are too many if the context `waits` is so large that Lambda throttles calls before they are refused', async () => {
    expect(await findingWith({ endpoints: 1, waits: 800 }, 1_000)).toEqual({
      check: 'Calls that wait',
      level: 'warning',
      found:
        'Up to 800 calls can wait at the same time, as set by the context `waits`; 0 executions are reserved, 200 are left.',
      needed:
        'At most 500: if waiting calls use all executions without a reservation, requests of all endpoints get status 429 or 500.',
      fix: `deploy with -c waits=500; or ${raised(1_600)}`,
    });
  });

  it('are too many if they use all executions without a reservation', async () => {
    expect(await findingWith({ endpoints: 1, reserved: [100, 35] }, 270)).toMatchObject({
      level: 'warning',
      found: expect.stringContaining('135 executions are reserved, 0 are left.'),
      needed: expect.stringContaining('At most 67:'),
      fix: `deploy with -c waits=67; or ${raised(470)}`,
    });
    expect(await findingWith({ reserved: [100, 35] }, 272)).toMatchObject({ level: 'ok' });
  });

  it('are unknown if the quota does not exist in the Region', async () => {
    expect(await findingWith({ endpoints: 1 }, undefined)).toMatchObject({ level: 'warning' });
  });
});
