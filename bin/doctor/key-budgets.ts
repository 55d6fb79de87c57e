/** Checks whether budgets of API keys have an effect: the service must sum costs, and know the prices of workers. */
import { type App, isValues, variablesOf } from '../assembly/app.ts';
import type { Finding } from './finding.ts';

const check = 'Budgets of API keys';

/** Returns whether the registration of an endpoint lacks the price of its worker in the Region. */
function isUnpriced(workerPrices: unknown, region: string): boolean {
  const prices: unknown = typeof workerPrices === 'string' ? JSON.parse(workerPrices) : undefined;
  return !isValues(prices) || !(region in prices);
}

/** Returns undefined if every budget has an effect. */
export function checkKeyBudgets({ resources }: App, region: string): Finding | undefined {
  if (resources.some((resource) => variablesOf(resource).HISTORY_DAYS === '0'))
    return {
      check,
      level: 'warning',
      found: 'With `historyDays: 0`, the service sums no costs, so a budget of an API key has no effect.',
      needed: '`historyDays` of at least 1, if API keys have budgets.',
      fix: 'set historyDays in the file of the environment; npx gpu-endpoints keys ls prints the budgets',
    };
  const unpriced = resources
    .filter(({ type, properties }) => type === 'Custom::Endpoint' && isUnpriced(properties.workerPrices, region))
    .map(({ properties }) => String(properties.id));
  if (unpriced.length === 0) return undefined;
  // Not a warning: most deployments have no keys with budgets, and `keys create` warns of these endpoints.
  return {
    check,
    level: 'ok',
    found: `The price of the workers of ${unpriced.join(', ')} is unknown in ${region}, so their time does not count in budgets of API keys.`,
  };
}
