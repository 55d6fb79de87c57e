/** States of the costs of all endpoints. */
import type { Costs } from '../../api/management-types.ts';
import { ago, DAY, MINUTE } from './clock.ts';
import { cost } from './ended.ts';
import { endpoints } from './endpoints.ts';
import { failed, ok, type Screen } from './screen.ts';

const COSTS = 'GET /v1/costs';

/** Endpoints have costs of different sizes; the workers of `whisper` are mostly idle. */
function costOf(endpoint: string, index: number, days: number): Costs['costs'][number] {
  const name = { endpoint, day: ago(days * DAY).slice(0, 10) };
  const busy = (31.2 / (1 + 2 * index)) * (days === 0 ? 0.2 : 1 - days / 40);
  const one = cost(busy, Math.round(1_200 / (1 + index)), name);
  if (endpoint !== 'whisper') return one;
  return { ...one, dollars: { busy: 1.1, idle: 9.4, starting: 0.3, total: 10.8 } };
}

function costsOf(url: URL): Costs {
  const since = url.searchParams.get('since')?.slice(0, 10) ?? ago(6 * DAY).slice(0, 10);
  const days = Array.from({ length: 30 }, (_, day) => day).filter((day) => ago(day * DAY).slice(0, 10) >= since);
  const costs = days.flatMap((day) => endpoints.map(({ id }, index) => costOf(id, index, day)));
  const total = costs.reduce((sum, { dollars }) => sum + dollars.total, 0);
  return { costs, total: { ...cost(total / 1.34, 9_870), unpricedTime: 0 }, summedTo: ago(2 * MINUTE) };
}

export const costsScreen: Screen = {
  name: 'costs',
  answers: {
    'GET /v1/endpoints': ok<'EndpointList'>({ endpoints: [...endpoints] }),
    [COSTS]: (url) => ok<'Costs'>(costsOf(url)),
  },
  states: [
    { name: 'days', path: '/costs', shows: (page) => page.getByText('2026-11-22, yesterday') },
    { name: 'month', path: '/costs?range=30d', shows: (page) => page.getByText('2026-10-25', { exact: true }) },
    {
      name: 'empty',
      path: '/costs',
      answers: { [COSTS]: ok<'Costs'>({ costs: [], total: cost(0, 0), summedTo: ago(2 * MINUTE) }) },
      shows: (page) => page.getByText('No worker has run within 7 days.'),
    },
    {
      name: 'error',
      path: '/costs',
      answers: { [COSTS]: failed },
      shows: (page) => page.getByRole('button', { name: 'Try again' }),
    },
  ],
};
