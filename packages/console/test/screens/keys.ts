/** States of the API keys page: the list, a new key, and a revocation. */
import type { Page } from 'playwright-core';
import type { Costs, KeyList } from '../../api/management-types.ts';
import { ago, DAY } from './clock.ts';
import { endpoints } from './endpoints.ts';
import { failed, held, ok, press, refused, type Screen } from './screen.ts';

const key = (id: string, name: string, changes: Partial<KeyList['keys'][number]> = {}): KeyList['keys'][number] => ({
  id,
  name,
  owner: name,
  endpoints: ['*'],
  operations: ['*'],
  scopes: [],
  createdAt: ago(40 * DAY),
  ...changes,
});

const keys: KeyList['keys'] = [
  key('3f9a1c02d41b', 'web-shop', {
    endpoints: ['chat', 'sdxl'],
    operations: ['run', 'status', 'stream', 'cancel'],
    expiresAt: ago(-50 * DAY),
    maxDollarsPerDay: 25,
  }),
  key('81bd77e40c5a', 'ci', {
    owner: 'platform',
    scopes: ['templates:read', 'templates:write'],
    maxDollarsPerDay: 2.5,
  }),
  key('c04e5512ab90', 'trial', { endpoints: ['echo'], expiresAt: ago(2 * DAY) }),
];

const cost = (key: string, day: number, jobs: number, total: number): Costs['costs'][number] => ({
  ...{ key, jobs, unpricedTime: 0, day: ago(day * DAY).slice(0, 10) },
  workerTime: { busy: 0, idle: 0, starting: 0 },
  dollars: { busy: total, idle: 0, starting: 0, total },
});

const costs: Costs = {
  costs: [
    cost('3f9a1c02d41b', 1, 18_204, 212.4),
    cost('3f9a1c02d41b', 0, 1_611, 19.82),
    cost('81bd77e40c5a', 0, 41, 2.61),
  ],
  total: { ...cost('', 0, 19_856, 234.83) },
  summedTo: ago(0),
};

const created = {
  ...key('9e2c44d0f7e3', 'batch', { endpoints: ['chat'], createdAt: ago(0) }),
  secret: 'gpue_7QmX2vKpL9cRwT4nBz8yHs6dJf3aGe5uVk1Nq0oP',
};

const CREATE = 'POST /v1/keys';
const LIST = 'GET /v1/keys';
const COSTS = 'GET /v1/costs';

const dialog = (page: Page) => page.getByRole('dialog');

async function create(page: Page): Promise<void> {
  await press(page, 'Create API key');
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('batch');
  await dialog(page).getByRole('button', { name: 'Create API key' }).click();
}

export const keyScreen: Screen = {
  name: 'keys',
  answers: {
    [LIST]: ok<'KeyList'>({ keys }),
    [COSTS]: ok<'Costs'>(costs),
    'GET /v1/endpoints': ok<'EndpointList'>({ endpoints: [...endpoints] }),
    [CREATE]: ok<'CreatedKey'>(created),
  },
  states: [
    { name: 'list', path: '/keys', shows: (page) => page.getByText('$232.22 in 30 days').first() },
    { name: 'search', path: '/keys?search=ci', shows: (page) => page.getByText('1 key', { exact: true }).first() },
    {
      name: 'without-use',
      path: '/keys',
      answers: { [COSTS]: failed },
      shows: (page) => page.getByText('$25.00 a day').first(),
    },
    {
      name: 'empty',
      path: '/keys',
      answers: { [LIST]: ok<'KeyList'>({ keys: [] }) },
      shows: (page) => page.getByText('No API keys yet'),
    },
    {
      name: 'loading',
      path: '/keys',
      answers: { [LIST]: held },
      shows: (page) => page.getByText('Loading API keys').first(),
    },
    {
      name: 'error',
      path: '/keys',
      answers: { [LIST]: failed },
      shows: (page) => page.getByRole('button', { name: 'Try again' }),
    },
    {
      name: 'create',
      path: '/keys',
      act: (page) => press(page, 'Create API key'),
      shows: (page) => dialog(page).getByRole('textbox', { name: 'Name' }),
    },
    {
      name: 'create-errors',
      path: '/keys',
      answers: {
        [CREATE]: refused(
          400,
          'INVALID_REQUEST',
          '`owner` must be at most 64 characters, got 80; `name` must be unique.',
        ),
      },
      act: create,
      shows: (page) => page.getByText(/^Must be at most 64 characters/),
    },
    { name: 'created', path: '/keys', act: create, shows: (page) => page.getByText(created.secret).first() },
    {
      name: 'revoke',
      path: '/keys',
      act: (page) => press(page, 'Revoke ci'),
      shows: (page) => page.getByRole('dialog', { name: 'Revoke ci?' }),
    },
    {
      name: 'operator',
      path: '/keys',
      role: 'operator',
      shows: (page) => page.getByText('You have no access to API keys'),
    },
  ],
};
