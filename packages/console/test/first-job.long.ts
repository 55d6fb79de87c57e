/** A user's first steps in the console over `npm start`: sign-in, first job, stream, cancellation. */
import { execFileSync } from 'node:child_process';
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { consoleOverStart } from './over-start.ts';
import { eventually } from './service.ts';
import { chooseRole, signIn } from './sign-in.ts';
import { writeInput } from './write-input.ts';

const { service, origin, inBrowser } = consoleOverStart({ what: 'the first job in the console' });

const result = (page: Page, status: string) => page.getByRole('heading', { name: `Result ${status}` });

async function write(page: Page, input: string): Promise<void> {
  await writeInput(page, input);
  await page.getByText('Valid JSON').waitFor();
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describe('the console over npm start', () => {
  inBrowser('opens from the printed link, offers roles, and runs the first job in the playground', async ({ page }) => {
    await page.goto(service().ConsoleUrl);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const roles = await page.getByRole('button').allInnerTexts();
    expect(roles.map((text) => text.split('\n')[0])).toEqual(['viewer', 'operator', 'admin']);
    await chooseRole(page, 'admin');
    await page.getByRole('link', { name: /^playground of / }).click();
    await page.getByRole('heading', { name: 'Playground' }).waitFor();
    await write(page, '{"text": "hello", "digits": 12345678901234567890}');
    await press(page, 'Run');
    await result(page, 'COMPLETED').waitFor();
    const output = page.getByRole('textbox', { name: 'Output' });
    await output.getByText('"hello"').waitFor();
    expect(await output.textContent()).toContain('12345678901234567890');
    // After a reload, the page shows the same job.
    await page.reload();
    await output.getByText('"hello"').waitFor();
  });

  inBrowser('[auth.console] sends the token of the user who has signed in, and no API key', async ({ page }) => {
    const sent = new Set<string>();
    page.on('request', (request) => {
      if (/\/v[12]\//.test(request.url())) sent.add(request.headers().authorization ?? 'nothing');
    });
    await signIn(page, service(), 'operator', '/endpoints/echo/playground');
    await write(page, '{"text": "without a key"}');
    await press(page, 'Run');
    await result(page, 'COMPLETED').waitFor();
    expect(sent.size).toBeGreaterThan(0);
    for (const value of sent) {
      // Keys have no dots.
      expect(value).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
      const [, claims = ''] = value.split('.');
      expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
        token_use: 'access',
        'cognito:groups': ['operator'],
      });
    }
  });

  inBrowser('runs a job and waits for it, from an example of the endpoint', async ({ page }) => {
    await signIn(page, service(), 'operator', '/endpoints/echo/playground');
    await page.getByRole('button', { name: 'Example' }).click();
    await page.getByRole('option', { name: 'Say hello' }).click();
    await press(page, 'Run and wait');
    await result(page, 'COMPLETED').waitFor();
    await page.getByRole('textbox', { name: 'Output' }).getByText('"hello"').waitFor();
  });

  inBrowser('shows a stream while it arrives, and cancels its job', async ({ page }) => {
    await signIn(page, service(), 'operator', '/endpoints/echo/playground');
    await write(page, '{"op": "stream", "chunks": 2000, "size": 20, "ms": 300}');
    await press(page, 'Run');
    const chunks = page.getByText(/\d+ chunks so far/);
    await chunks.waitFor();
    const received = async () => Number.parseInt(String(await chunks.textContent()).replaceAll(',', ''), 10);
    const first = await received();
    await eventually('more chunks are shown', async () => (await received()) > first || undefined);
    expect(await result(page, 'IN_PROGRESS').isVisible()).toBe(true);
    await press(page, 'Cancel job');
    const question = page.getByRole('dialog', { name: 'Cancel the job?' });
    await question.getByRole('button', { name: 'Cancel job' }).click();
    await result(page, 'CANCELLED').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel job' }).getAttribute('aria-disabled')).toBe('true');
  });

  inBrowser('shows where the input is not JSON, and sends nothing', async ({ page, requests }) => {
    await signIn(page, service(), 'operator', '/endpoints/echo/playground');
    await writeInput(page, '{"text": }');
    await page.getByRole('button', { name: 'Go to the error' }).waitFor();
    await press(page, 'Run');
    // The button moves the cursor to the error in the editor.
    await page.locator('.cm-focused').waitFor();
    expect(requests().filter(({ method, url }) => method === 'POST' && url.includes('/v2/'))).toEqual([]);
    expect(new URL(page.url()).searchParams.get('job')).toBeNull();
    await page.getByText('Run the job to see its progress and its result here.').waitFor();
  });

  inBrowser('shows the run as a command that a shell runs', async ({ page }) => {
    await signIn(page, service(), 'viewer', '/endpoints/echo/playground');
    await write(page, `{"text": "it's \\"quoted\\" $HOME"}`);
    const code = String(await page.getByRole('region', { name: 'Code' }).textContent());
    expect(code).not.toContain(service().ApiKey);
    const env = { ...process.env, API_KEY: service().ApiKey };
    const accepted = JSON.parse(execFileSync('sh', ['-c', code], { env, encoding: 'utf8', stdio: 'pipe' }));
    await page.goto(`${origin()}/console/endpoints/echo/jobs/${accepted.id}?tab=input`);
    await page.getByRole('textbox', { name: 'Input' }).getByText(`"it's \\"quoted\\" $HOME"`).waitFor();
  });
});
