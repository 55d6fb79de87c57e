/** A user finds a failed job from the overview, reads why it failed, and runs it again. */
import { describe, expect } from '@jest/globals';
import { consoleOverStart } from './over-start.ts';
import { jobIn, submit } from './service.ts';
import { signIn } from './sign-in.ts';
import { writeInput } from './write-input.ts';

const { service, inBrowser } = consoleOverStart({ what: 'a failed job in the console' });

async function failed(input: object): Promise<string> {
  const { json } = await submit(service(), JSON.stringify({ input }));
  await jobIn(service(), json.id, 'FAILED');
  return String(json.id);
}

describe('a failed job', () => {
  inBrowser('is found from the overview with its error in two clicks', async ({ page }) => {
    const message = '<img src=x onerror=alert(1)> no such model';
    const id = await failed({ op: 'fail', message });
    await signIn(page, service(), 'viewer');
    // The console changes pages without loading a new document, so the listener counts the clicks on all pages.
    await page.evaluate(`globalThis.clicks = 0; addEventListener('click', () => { globalThis.clicks += 1; }, true)`);
    await page.getByRole('link', { name: 'echo', exact: true }).click();
    await page.getByRole('link', { name: id }).click();
    await page.getByText('Failed: WORKER_ERROR').waitFor();
    expect(await page.getByRole('region', { name: 'Error' }).textContent()).toBe(message);
    const clicks = await page.evaluate<number>('clicks');
    process.stdout.write(`A failed job is found from the overview in ${clicks} clicks.\n`);
    expect(clicks).toBe(2);
    await page.getByText('The handler failed. Correct the handler or the input, then retry.').waitFor();
  });

  inBrowser('is in the log of its endpoint, also by worker', async ({ page }) => {
    const { json } = await submit(service(), '{"input":{"op":"print","lines":["a line of the worker"]}}');
    await jobIn(service(), String(json.id), 'COMPLETED');
    await signIn(page, service(), 'viewer', '/endpoints/echo?tab=logs');
    await page.getByText('a line of the worker').waitFor();
    await page.getByRole('button', { name: /^Worker / }).click();
    await page
      .getByRole('option', { name: /idle|running/ })
      .first()
      .click();
    await page.getByText('a line of the worker').waitFor();
    expect(new URL(page.url()).searchParams.get('worker')).toMatch(/^[0-9a-f]{32}$/);
  });

  inBrowser('is retried with its id, and shows its second attempt', async ({ page }) => {
    // The first attempt exceeds its time limit.
    const input = { op: 'effect', ms: [600_000, 0] };
    const { json } = await submit(service(), JSON.stringify({ input, policy: { executionTimeout: 5_001 } }));
    await jobIn(service(), json.id, 'TIMED_OUT');
    await signIn(page, service(), 'operator', `/endpoints/echo/jobs/${json.id}`);
    await page.getByText('Timed out: EXECUTION_TIMEOUT').waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Completed', { exact: true }).waitFor();
    await page
      .getByRole('textbox', { name: 'Output' })
      .getByText(/"attempt": 2/)
      .waitFor();
  });

  inBrowser('is run again with another input', async ({ page }) => {
    const id = await failed({ op: 'fail', message: 'first' });
    await signIn(page, service(), 'operator', `/endpoints/echo/jobs/${id}`);
    await page.getByRole('button', { name: 'Run again' }).click();
    const field = page.getByRole('textbox', { name: 'Input as JSON' });
    await page.getByText('This is the input of job').waitFor();
    expect(await field.textContent()).toBe('{"op":"fail","message":"first"}');
    await writeInput(page, '{"text": "corrected"}');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('heading', { name: 'Result COMPLETED' }).waitFor();
    expect(new URL(page.url()).searchParams.get('job')).not.toBe(id);
  });

  inBrowser('is retried in the job list, in one action with another failed job', async ({ page }) => {
    const ids = [await failed({ op: 'fail', message: 'a' }), await failed({ op: 'fail', message: 'b' })];
    await signIn(page, service(), 'operator', '/endpoints/echo?status=FAILED,TIMED_OUT');
    for (const id of ids) await page.getByRole('checkbox', { name: `Select ${id}` }).check();
    await page.getByRole('button', { name: 'Retry 2 jobs' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry 2 jobs' });
    await dialog.getByRole('button', { name: 'Retry', exact: true }).click();
    await dialog.getByText('2 of 2 done, 0 failed').waitFor();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    for (const id of ids) await jobIn(service(), id, 'FAILED');
  });
});
