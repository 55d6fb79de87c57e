/** Refuses budgets that the service could not enforce. */
import { Stack, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { WorkerPrices } from '../../core/endpoints/endpoint.ts';
import { historyDaysOf } from '../history/history-days.ts';
import { InvalidSetting } from '../settings/settings.ts';

export interface BudgetFacts {
  readonly endpoint: string;
  readonly maxDollarsPerDay: number | undefined;
  /** Price of the endpoint's worker by Region. */
  readonly prices: WorkerPrices;
}

/**
 * Checks that the deployment sums what the endpoint costs. The function that registers the endpoint checks the price
 * again, because a stack without a Region can be deployed to one without prices.
 * @throws InvalidSetting
 */
export function assertBudget(scope: IConstruct, { endpoint, maxDollarsPerDay, prices }: BudgetFacts): void {
  if (maxDollarsPerDay === undefined) return;
  const { region } = Stack.of(scope);
  const must = `Endpoint \`${endpoint}\`: \`maxDollarsPerDay\` must be omitted`;
  if (historyDaysOf(scope) === 0)
    throw new InvalidSetting(`${must} with \`historyDays: 0\`, because the service then sums no costs.`);
  if (Object.keys(prices).length === 0)
    throw new InvalidSetting(`${must}, because the price of its worker is unknown, as that of Spot always is.`);
  if (!Token.isUnresolved(region) && prices[region] === undefined)
    throw new InvalidSetting(`${must}, because \`lib/prices/\` has no prices of ${region}.`);
}
