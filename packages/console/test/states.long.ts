/** Tests links into the console, the end of a session, and a page without a network. */
import { describe, expect } from '@jest/globals';
import type { WatchedPage } from './browser.ts';
import { consoleOverStart } from './over-start.ts';
import { eventually, jobIn, submit } from './service.ts';
import { chooseRole, signIn } from './sign-in.ts';
import { writeInput } from './write-input.ts';

const { service, origin, inBrowser } = consoleOverStart({ what: 'the states of the console' });

const callsOf = ({ requests }: WatchedPage) => requests().filter(({ url }) => /\/v[12]\//.test(url));

describe('a link into the console', () => {
  inBrowser('opens its tab after the sign-in', async ({ page }) => {
    await signIn(page, service(), 'viewer', '/endpoints/echo?tab=workers&status=FAILED');
    expect(page.url()).toBe(`${origin()}/console/endpoints/echo?tab=workers&status=FAILED`);
    expect(await page.getByRole('tab', { name: 'Workers' }).getAttribute('aria-selected')).toBe('true');
  });

  inBrowser(
    'shows how long jobs are kept if its job has expired',
    async ({ page }) => {
      await signIn(page, service(), 'viewer', '/endpoints/echo/jobs/0000');
      await page.getByText('The service does not have this job').waitFor();
      await page.getByText('Results are kept for 30 minutes', { exact: false }).waitFor();
      expect(await page.getByRole('button', { name: 'Retry' }).getAttribute('aria-disabled')).toBe('true');
      await page.getByRole('link', { name: 'Show the jobs of echo' }).click();
      await page.getByRole('table', { name: 'Jobs' }).waitFor();
    },
    [/status of 404/],
  );

  inBrowser('is not needed for a job, because the search finds the job by its id only', async ({ page }) => {
    const { json } = await submit(service(), '{"input":{}}');
    await jobIn(service(), json.id, 'COMPLETED');
    await signIn(page, service(), 'viewer', '/settings');
    const search = page.getByRole('combobox', { name: 'Find an endpoint, a job, an error, a worker or a key' });
    await search.fill(String(json.id));
    await search.press('Enter');
    await page.waitForURL(`**/console/endpoints/echo/jobs/${json.id}`);
    await page.getByText('Completed', { exact: true }).waitFor();
  });
});

describe('a session', () => {
  inBrowser(
    'is renewed in another window after its expiry, without the loss of typed text',
    async ({ page }) => {
      await page.clock.install();
      await signIn(page, service(), 'operator', '/endpoints/echo/playground');
      await writeInput(page, '{"text": "typed"}');
      const kept = await page.evaluate<string>(
        'Object.values(sessionStorage).find((v) => v.includes("refresh_token"))',
      );
      const { refresh_token: token } = JSON.parse(kept) as { refresh_token: string };
      const { client } = (await (await fetch(`${origin()}/console/config.json`)).json()) as { client: string };
      const body = new URLSearchParams({ client_id: client, token });
      expect((await fetch(`${origin()}/cognito/oauth2/revoke`, { method: 'POST', body })).status).toBe(200);
      await page.clock.fastForward('02:00:00');
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Your session has expired' });
      const [other] = await Promise.all([
        page.waitForEvent('popup'),
        dialog.getByRole('button', { name: 'Sign in in a new window' }).click(),
      ]);
      await other.getByRole('button', { name: /^operator/ }).click();
      await dialog.waitFor({ state: 'hidden' });
      expect(await page.getByRole('textbox', { name: 'Input as JSON' }).textContent()).toContain('"typed"');
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('heading', { name: 'Result COMPLETED' }).waitFor();
    },
    [/status of 40[01]/],
  );

  inBrowser('ends with Sign out, and the page then asks for a role', async ({ page }) => {
    await signIn(page, service(), 'viewer');
    await page.getByRole('button', { name: 'viewer', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await chooseRole(page, 'operator');
    await page.getByRole('button', { name: 'operator', exact: true }).waitFor();
  });
});

describe('a page', () => {
  inBrowser(
    'keeps its data while it is offline, sends no requests, and continues automatically',
    async (watched) => {
      const { page } = watched;
      await page.clock.install();
      await signIn(page, service(), 'viewer');
      const row = page.getByRole('row', { name: /^echo / });
      await row.waitFor();
      await page.context().setOffline(true);
      await page.getByText('You are offline').waitFor();
      watched.forget();
      await page.clock.runFor(120_000);
      expect(callsOf(watched)).toEqual([]);
      expect(await row.isVisible()).toBe(true);
      await page.context().setOffline(false);
      await page.getByText('You are offline').waitFor({ state: 'hidden' });
      watched.forget();
      await eventually('the page sends requests again', () => callsOf(watched).length > 0 || undefined);
    },
    [/ERR_INTERNET_DISCONNECTED/],
  );
});
