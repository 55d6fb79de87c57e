import { describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { assertBudget, type BudgetFacts } from '../../../lib/endpoints/budget.ts';

const price = { hour: 1, date: '2026-08-21' };

function check(facts: Partial<BudgetFacts>, context: Readonly<Record<string, unknown>> = {}, region?: string): void {
  const stack = new Stack(new App({ context }), 'Endpoint-echo', region === undefined ? {} : { env: { region } });
  assertBudget(stack, { endpoint: 'echo', maxDollarsPerDay: 1, prices: { 'us-east-1': price }, ...facts });
}

describe('maxDollarsPerDay of an endpoint', () => {
  it('is accepted with a price and a history, or if the Region is not known yet', () => {
    check({});
    check({}, {}, 'us-east-1');
    check({ maxDollarsPerDay: undefined, prices: {} }, { historyDays: 0 });
  });

  it.each([
    ['without a history', {}, { historyDays: 0 }, undefined, 'must be omitted with `historyDays: 0`'],
    ['without a price', { prices: {} }, {}, undefined, 'because the price of its worker is unknown'],
    ['in a Region without prices', {}, {}, 'eu-west-9', 'because `lib/prices/` has no prices of eu-west-9'],
  ] as const)('is refused %s', (_, facts, context, region, reason) => {
    expect(() => check(facts, context, region)).toThrow(
      `Endpoint \`echo\`: \`maxDollarsPerDay\` ${reason}`.replace('` because', '` must be omitted, because'),
    );
  });
});
