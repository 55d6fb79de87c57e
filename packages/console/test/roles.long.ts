/** Tests what the three roles can do in the console, and the reasons that it shows for refusals. */
import { describe, expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { consoleOverStart } from './over-start.ts';
import { call, changeEndpoint, eventually, jobIn, readStatus, submit } from './service.ts';
import { signIn } from './sign-in.ts';
import { writeInput } from './write-input.ts';

const { service, origin, inBrowser } = consoleOverStart({
  what: 'the behavior of roles in the console',
  // One job runs, and the later jobs wait.
  change: (assembly) => changeEndpoint(assembly, 'echo', { idleTimeout: 60_000, maxWorkers: 1 }),
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/**
 * Returns the text that a screen reader reads after the name of a disabled button; undefined for an enabled button.
 */
async function reasonOf(control: Locator): Promise<string | undefined> {
  await control.waitFor();
  if ((await control.getAttribute('aria-disabled')) !== 'true' && (await control.isEnabled())) return undefined;
  const ids = ((await control.getAttribute('aria-describedby')) ?? '').split(' ').filter(Boolean);
  const texts = await Promise.all(ids.map((id) => control.page().locator(`[id="${id}"]`).textContent()));
  return texts.join(' ').trim();
}

const needs = (group: string, role: string) => `Only users in the group "${group}" can do this. You are in: ${role}.`;

const sleeping = async () => {
  const { json } = await submit(service(), '{"input":{"op":"sleep","ms":600000}}');
  return String(json.id);
};

/** Frees the only worker, because the next tests count waiting jobs. */
const cancel = (id: string) => call(service(), 'POST', `${service().JobApiUrl}/echo/cancel/${id}`);

describe('a viewer', () => {
  inBrowser('reads jobs, and sees which group can run, cancel and purge', async ({ page }) => {
    const id = await sleeping();
    await signIn(page, service(), 'viewer', `/endpoints/echo/jobs/${id}`);
    await page
      .getByText(/^(Running|Waiting)/)
      .first()
      .waitFor();
    for (const name of ['Run again', 'Cancel job'])
      expect([name, await reasonOf(button(page, name))]).toEqual([name, needs('operator', 'viewer')]);
    await page.getByRole('link', { name: 'echo', exact: true }).click();
    expect(await reasonOf(button(page, 'Purge'))).toBe(needs('admin', 'viewer'));
    expect(await reasonOf(button(page, 'Resume'))).toBe(needs('operator', 'viewer'));
    await button(page, 'Playground')
      .or(page.getByRole('link', { name: 'Playground' }))
      .first()
      .click();
    expect(await reasonOf(button(page, 'Run'))).toBe(needs('operator', 'viewer'));
    await page.goto(`${origin()}/console/templates`);
    const create = page.getByRole('link', { name: 'Create template' }).or(button(page, 'Create template'));
    expect(await reasonOf(create)).toBe(needs('admin', 'viewer'));
    await page.goto(`${origin()}/console/keys`);
    await page.getByText('You have no access to API keys').waitFor();
    expect(await reasonOf(button(page, 'Create API key'))).toBe(needs('admin', 'viewer'));
    await cancel(id);
  });
});

describe('an operator', () => {
  inBrowser('runs and cancels jobs, but cannot purge the queue', async ({ page }) => {
    await signIn(page, service(), 'operator', '/endpoints/echo/playground');
    await writeInput(page, '{"op": "sleep", "ms": 600000}');
    await button(page, 'Run').click();
    await page.getByRole('heading', { name: /^Result IN_/ }).waitFor();
    const id = String(new URL(page.url()).searchParams.get('job'));
    await page.getByRole('link', { name: 'echo', exact: true }).click();
    expect(await reasonOf(button(page, 'Purge'))).toBe(needs('admin', 'operator'));
    expect(await reasonOf(button(page, 'Resume'))).toBeUndefined();
    await page.getByRole('checkbox', { name: `Select ${id}` }).check();
    await button(page, 'Cancel 1 job').click();
    const dialog = page.getByRole('dialog', { name: 'Cancel 1 job' });
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.getByText('1 of 1 done, 0 failed').waitFor();
    await jobIn(service(), id, 'CANCELLED');
  });
});

describe('an operator of an endpoint that has not backed off', () => {
  inBrowser('[route.resume] resumes the endpoint and reads the response of the service', async ({ page }) => {
    await signIn(page, service(), 'operator', '/endpoints/echo');
    await button(page, 'Resume').click();
    await page.getByText('echo had not backed off').waitFor();
    await page.getByText('Only a release that was rolled back is retried.', { exact: false }).waitFor();
  });
});

describe('an admin', () => {
  inBrowser('purges the queue after reading how many jobs wait and typing the endpoint id', async ({ page }) => {
    await jobIn(service(), await sleeping(), 'IN_PROGRESS');
    const waiting = [await sleeping(), await sleeping()];
    await signIn(page, service(), 'admin', '/endpoints/echo');
    const counted = async () => {
      await button(page, 'Purge').click();
      const dialog = page.getByRole('dialog', { name: 'Purge the queue of echo' });
      const text = String(await dialog.textContent());
      const [, count] = /(\d+) jobs? waits? now/.exec(text) ?? [];
      if (Number(count) >= waiting.length) return { dialog, count };
      await dialog.getByRole('button', { name: 'Do nothing' }).click();
      return undefined;
    };
    const { dialog, count } = await eventually('the page counts the waiting jobs', counted);
    const purge = dialog.getByRole('button', { name: 'Purge', exact: true });
    expect(await purge.isEnabled()).toBe(false);
    await dialog.getByRole('textbox', { name: 'Type echo to confirm' }).fill('echo');
    await purge.click();
    await dialog.getByText(`${count} jobs removed`).waitFor();
    for (const id of waiting) expect((await readStatus(service(), id)).json).toMatchObject({ code: 'PURGED' });
  });
});
