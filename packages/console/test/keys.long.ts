/** A user creates and revokes an API key in the console, and a client uses the key in the meantime. */
import { execFileSync } from 'node:child_process';
import { describe, expect } from '@jest/globals';
import { consoleOverStart } from './over-start.ts';
import { eventually } from './service.ts';
import { signIn } from './sign-in.ts';

const { service, origin, inBrowser } = consoleOverStart({ what: 'the API keys of the console' });

describe('an API key', () => {
  inBrowser(
    '[route.list-keys][route.create-key][route.revoke-key] is created, shown once, used with the command beside it, and revoked',
    async ({ page }) => {
      await signIn(page, service(), 'admin', '/keys');
      await page.getByRole('button', { name: 'Create API key' }).click();
      const form = page.getByRole('dialog', { name: 'Create API key' });
      await form.getByRole('textbox', { name: 'Name' }).fill('reports');
      await form.getByRole('button', { name: 'Create API key' }).click();

      const shown = page.getByRole('dialog', { name: 'API key reports' });
      await shown.getByText('To try it').waitFor();
      const [secret = '', command = ''] = await shown.locator('code').allInnerTexts();
      expect(secret).toMatch(/^gpue_/);
      const env = { ...process.env, API_KEY: secret };
      const answer = JSON.parse(execFileSync('sh', ['-c', `${command} --silent`], { env, encoding: 'utf8' }));
      expect(answer).toEqual({ id: expect.any(String), status: 'IN_QUEUE' });

      await shown.getByRole('button', { name: 'I have stored the key' }).click();
      await shown.waitFor({ state: 'hidden' });
      expect(await page.content()).not.toContain(secret);

      const ask = async () => {
        const headers = { Authorization: `Bearer ${secret}` };
        return (await fetch(`${origin()}/v2/echo/health`, { headers })).status;
      };
      expect(await ask()).toBe(200);
      await page.getByRole('button', { name: 'Revoke reports' }).click();
      const question = page.getByRole('dialog', { name: 'Revoke reports?' });
      await question.getByRole('button', { name: 'Revoke', exact: true }).click();
      await page.getByRole('button', { name: 'Revoke reports' }).waitFor({ state: 'hidden' });
      // The service can cache a key for a minute.
      await eventually('the key is refused', async () => (await ask()) === 401 || undefined, { within: 90_000 });
    },
  );

  inBrowser('permits only its chosen operations', async ({ page }) => {
    await signIn(page, service(), 'admin', '/keys');
    await page.getByRole('button', { name: 'Create API key' }).click();
    const form = page.getByRole('dialog', { name: 'Create API key' });
    await form.getByRole('textbox', { name: 'Name' }).fill('monitor');
    await form.getByRole('radio', { name: 'Chosen operations' }).check();
    await form
      .getByRole('button', { name: /operations/ })
      .last()
      .click();
    await page.getByRole('option', { name: /^health/ }).click();
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Create API key' }).click();
    const shown = page.getByRole('dialog', { name: 'API key monitor' });
    const headers = { Authorization: `Bearer ${await shown.locator('code').first().textContent()}` };
    expect((await fetch(`${origin()}/v2/echo/health`, { headers })).status).toBe(200);
    const run = await fetch(`${origin()}/v2/echo/run`, { method: 'POST', headers, body: '{"input":{}}' });
    expect([run.status, await run.json()]).toMatchObject([401, { error: expect.stringContaining('run') }]);
  });
});
