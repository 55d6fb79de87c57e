/** A user operates the console by keyboard only. */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Keyboard, keyboardOf } from './keyboard.ts';
import { consoleOverStart } from './over-start.ts';
import { eventually, readStatus, submit } from './service.ts';

const { service, inBrowser } = consoleOverStart({ what: 'the console by keyboard' });

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true });
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

async function signedIn(page: Page): Promise<Keyboard> {
  const keyboard = await keyboardOf(page);
  await page.goto(service().ConsoleUrl);
  await keyboard.enter(button(page, /^admin/));
  await page.getByRole('heading', { name: 'Endpoints', level: 1 }).waitFor();
  return keyboard;
}

/** Opens a page from the bar at the top. After each navigation the heading has the focus. */
async function goTo(page: Page, keyboard: Keyboard, name: string): Promise<void> {
  await keyboard.enter(link(page, name).first(), 'Shift+Tab');
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

function expectVisibleStops(what: string, keyboard: Keyboard): void {
  process.stdout.write(`${what}: ${keyboard.stops()} stops of the Tab key, ${keyboard.problems().length} problems\n`);
  expect(keyboard.problems()).toEqual([]);
}

describe('a user without a mouse', () => {
  inBrowser('signs in, runs the first job, watches a stream, cancels its job, and retries a job', async ({ page }) => {
    const keyboard = await signedIn(page);
    await keyboard.enter(link(page, /^playground of /));
    await heading(page, 'Playground');
    const input = page.getByRole('textbox', { name: 'Input as JSON' });
    // A text area is shown until the editor is loaded.
    await page.locator('.cm-content').waitFor();
    const run = async (text: string, key: 'Tab' | 'Shift+Tab') => {
      await keyboard.to(input, key);
      await keyboard.write(text);
      await keyboard.enter(button(page, 'Run'));
    };
    await run('{"text": "by keyboard"}', 'Tab');
    await heading(page, 'Result COMPLETED');
    await run('{"op": "stream", "chunks": 2000, "size": 20, "ms": 300}', 'Shift+Tab');
    await page.getByText(/\d+ chunks so far/).waitFor();
    await keyboard.enter(button(page, 'Cancel job'));
    await keyboard.enter(page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }));
    await heading(page, 'Result CANCELLED');
    await run('{"op": "fail"}', 'Shift+Tab');
    await heading(page, 'Result FAILED');
    const id = String(new URL(page.url()).searchParams.get('job'));
    await keyboard.enter(link(page, id));
    await keyboard.enter(button(page, 'Retry'));
    await eventually(
      'the job runs again',
      async () => (await readStatus(service(), id)).json.attempts === 2 || undefined,
    );
    expectVisibleStops('jobs', keyboard);
  });

  inBrowser('creates a template and edits it', async ({ page }) => {
    const keyboard = await signedIn(page);
    await goTo(page, keyboard, 'Templates');
    await keyboard.enter(link(page, 'Create template'));
    await keyboard.to(field(page, 'Name').first());
    await keyboard.write('By keyboard');
    await keyboard.to(field(page, 'Container image'));
    await keyboard.write('registry.example.com/team/keys:1');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'By keyboard', level: 1 }).waitFor();
    await keyboard.enter(button(page, 'Edit').or(link(page, 'Edit')));
    await keyboard.to(field(page, 'Container image'));
    await keyboard.write('registry.example.com/team/keys:2');
    await keyboard.enter(button(page, 'Review changes'));
    await keyboard.enter(page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }));
    await page.getByText('registry.example.com/team/keys:2').first().waitFor();
    expectVisibleStops('templates', keyboard);
  });

  inBrowser('creates an API key, and purges a queue', async ({ page }) => {
    const keyboard = await signedIn(page);
    await goTo(page, keyboard, 'API keys');
    await keyboard.enter(button(page, 'Create API key'));
    const form = page.getByRole('dialog', { name: 'Create API key' });
    await keyboard.to(form.getByRole('textbox', { name: 'Name' }));
    await keyboard.write('by keyboard');
    await keyboard.press('Enter');
    await page.getByText('To try it').waitFor();
    await keyboard.enter(button(page, 'I have stored the key'));
    await page.getByRole('row', { name: /by keyboard/ }).waitFor();
    await submit(service(), '{"input":{}}');
    await goTo(page, keyboard, 'Endpoints');
    await keyboard.enter(link(page, 'echo'));
    await keyboard.enter(button(page, 'Purge'));
    const question = page.getByRole('dialog', { name: 'Purge the queue of echo' });
    await keyboard.to(question.getByRole('textbox'));
    await keyboard.write('echo');
    await keyboard.press('Enter');
    await question.getByText(/\d+ jobs? removed/).waitFor();
    expectVisibleStops('keys and purge', keyboard);
  });
});
