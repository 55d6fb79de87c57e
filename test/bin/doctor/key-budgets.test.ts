import { expect, it } from '@jest/globals';
import { appOf } from '../../../bin/assembly/app.ts';
import { checkKeyBudgets } from '../../../bin/doctor/key-budgets.ts';

function findingOf(historyDays: string, prices: Readonly<Record<string, object>>) {
  const Sum = {
    Type: 'AWS::Lambda::Function',
    Properties: { Environment: { Variables: { HISTORY_DAYS: historyDays } } },
  };
  const endpoints = Object.entries(prices).map(([id, each]) => {
    const Properties = { id, workerPrices: JSON.stringify(each) };
    return [`Endpoint-${id}`, { Resources: { Registration: { Type: 'Custom::Endpoint', Properties } } }] as const;
  });
  return checkKeyBudgets(appOf({ Platform: { Resources: { Sum } }, ...Object.fromEntries(endpoints) }), 'eu-west-1');
}

const priced = { 'eu-west-1': { hour: 1, date: '2026-01-01' } };

it('finds nothing if the price of each worker is known', () => {
  expect(findingOf('30', { echo: priced })).toBeUndefined();
});

it('warns that budgets of keys have no effect without a history', () => {
  expect(findingOf('0', { echo: priced })).toMatchObject({
    level: 'warning',
    found: 'With `historyDays: 0`, the service sums no costs, so a budget of an API key has no effect.',
  });
});

it('names endpoints whose workers have no price in the Region', () => {
  expect(findingOf('30', { echo: priced, spot: {}, other: { 'us-east-1': {} } })).toMatchObject({
    level: 'ok',
    found: expect.stringContaining('The price of the workers of spot, other is unknown in eu-west-1'),
  });
});
