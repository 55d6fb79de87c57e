/** States of the frame and the settings page: search, help, and errors that stop the console. */
import type { Page } from 'playwright-core';
import { alarms } from './alarms.ts';
import { endpoints } from './endpoints.ts';
import { expired, ok, refused, type Screen, unreachable } from './screen.ts';

const LIST = 'GET /v1/endpoints';
const list = ok<'EndpointList'>({ endpoints: [...endpoints] });

const search = (page: Page) =>
  page.getByRole('combobox', { name: 'Find an endpoint, a job, an error, a worker or a key' });

const overviewRow = (page: Page) => page.getByRole('row', { name: /^sdxl/ });

export const frame: Screen = {
  name: 'frame',
  answers: { [LIST]: list, 'GET /v1/alarms': alarms },
  states: [
    { name: 'settings', path: '/settings', shows: (page) => page.getByRole('heading', { name: 'Settings' }) },
    {
      name: 'settings-viewer',
      path: '/settings',
      role: 'viewer',
      shows: (page) => page.getByRole('heading', { name: 'Settings' }),
    },
    {
      name: 'search',
      path: '/settings',
      act: async (page) => {
        await search(page).click();
        await search(page).pressSequentially('l');
      },
      shows: (page) => page.getByRole('option', { name: 'llama-70b' }),
    },
    {
      name: 'search-error',
      path: '/settings',
      act: (page) => search(page).pressSequentially('CUDA out of memory'),
      shows: (page) => page.getByRole('option', { name: 'Errors with "CUDA out of memory"' }),
    },
    {
      name: 'search-nothing',
      path: '/settings',
      answers: {
        'GET /v1/jobs/*': refused(404, 'JOB_NOT_FOUND', 'There is no such job.'),
        'GET /v1/jobs': ok<'EndedJobList'>({ jobs: [], readTo: '2026-10-24T03:12:40.000Z' }),
      },
      act: async (page) => {
        await search(page).fill('0123456789abcdefghjkmnpqrstvwxyz0123');
        await search(page).press('Enter');
      },
      shows: (page) => page.getByText('No job has this id', { exact: false }),
    },
    {
      name: 'shortcuts',
      path: '/settings',
      act: async (page) => {
        await page.getByRole('heading', { name: 'Settings' }).waitFor();
        await page.keyboard.press('?');
      },
      shows: (page) => page.getByRole('dialog'),
    },
    {
      name: 'account',
      path: '/settings',
      act: (page) => page.getByRole('button', { name: 'admin', exact: true }).click(),
      shows: (page) => page.getByRole('menuitem', { name: 'Sign out' }),
    },
    {
      name: 'expired-session',
      path: '/',
      answers: { [LIST]: [list, expired] },
      shows: (page) => page.getByRole('dialog', { name: 'Your session has expired' }),
    },
    {
      name: 'expired-session-later',
      path: '/',
      answers: { [LIST]: [list, expired] },
      act: (page) => page.getByRole('dialog').getByRole('button').first().click(),
      shows: (page) => page.getByText('This page is not updated until you sign in.'),
    },
    {
      name: 'offline',
      path: '/',
      answers: { [LIST]: [list, unreachable] },
      act: async (page) => {
        await overviewRow(page).waitFor();
        await page.context().setOffline(true);
      },
      shows: (page) => page.getByText('You are offline'),
      expected: [/ERR_INTERNET_DISCONNECTED/, /ERR_FAILED/],
    },
    {
      name: 'not-found',
      path: '/no/such/page',
      shows: (page) => page.getByText('The console has no such page'),
    },
    {
      name: 'cannot-start',
      path: '/signed-in?error=access_denied&state=unknown',
      shows: (page) => page.getByText('The console cannot start'),
    },
  ],
};
