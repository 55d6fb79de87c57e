/** A user creates, finds and edits templates in the console, and changes are rolled out and rolled back. */
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { consoleOverStart } from './over-start.ts';
import { call, jobIn, submit } from './service.ts';
import { signIn } from './sign-in.ts';

const { service, origin, inBrowser } = consoleOverStart({ what: 'templates in the console' });

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const field = (page: Page, name: string) => page.getByRole('textbox', { name });

/**
 * Creates a template for NVIDIA in the form, and shows its page.
 * @param name unique in each test, so that the tests are independent
 */
async function create(page: Page, name: string): Promise<void> {
  await signIn(page, service(), 'admin', '/templates/new');
  await field(page, 'Name').first().fill(name);
  await field(page, 'Container image').fill(`registry.example.com/team/${name.toLowerCase()}:1`);
  await press(page, 'Create template');
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** Opens the list of templates from the navigation at the top. */
const toTemplates = (page: Page) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Templates' }).click();

/** Opens the form that edits the endpoint's own template. */
const editEndpoint = (page: Page, endpoint: string) =>
  signIn(page, service(), 'admin', `/templates/endpoint-${endpoint}/edit`);

/** Reviews the changes and saves them. */
async function saveAndRollOut(page: Page): Promise<void> {
  await press(page, 'Review changes');
  const review = page.getByRole('dialog', { name: 'Save these changes?' });
  await review.getByText('Replaces workers').waitFor();
  await review.getByRole('listitem').getByText('echo').waitFor();
  await review.getByRole('button', { name: 'Save and roll out' }).click();
}

describe('a template', () => {
  inBrowser(
    '[template.readme.console] is created with its readme after the user corrects the field that the service rejected',
    async ({ page }) => {
      await signIn(page, service(), 'admin', '/templates');
      await page.getByRole('link', { name: 'Create template' }).click();
      await field(page, 'Name').first().fill('Painter');
      await field(page, 'Container image').fill('registry.example.com/team/painter:1');
      await field(page, 'Container disk').fill('0');
      await page.getByRole('textbox', { name: 'Readme' }).fill('# Paints\n\n<script>globalThis.ran = true</script>');
      await press(page, 'Create template');
      const disk = page.getByRole('textbox', { name: 'Container disk' });
      await page.getByRole('button', { name: 'Create template', disabled: false }).waitFor();
      await page.locator('[aria-invalid=true]').waitFor();
      expect(await disk.getAttribute('aria-invalid')).toBe('true');
      await disk.fill('20');
      await press(page, 'Create template');
      await page.getByRole('heading', { name: 'Painter', level: 1 }).waitFor();
      await page.getByRole('heading', { name: 'Paints' }).waitFor();
      await page.getByText('<script>globalThis.ran = true</script>').waitFor();
      expect(await page.evaluate('globalThis.ran')).toBeUndefined();
    },
    [/status of 400/],
  );

  inBrowser('[template.category.console] is found by its category', async ({ page }) => {
    await create(page, 'Sketcher');
    await toTemplates(page);
    const table = page.getByRole('table', { name: 'Templates' });
    const echo = table.getByRole('link', { name: 'Echo', exact: true });
    const sketcher = table.getByRole('link', { name: 'Sketcher', exact: true });
    await echo.waitFor();
    await sketcher.waitFor();
    await page.getByRole('button', { name: /^NVIDIA/ }).click();
    await echo.waitFor({ state: 'hidden' });
    expect(await sketcher.isVisible()).toBe(true);
    await page.getByRole('button', { name: /^CPU/ }).click();
    await sketcher.waitFor({ state: 'hidden' });
    expect(await echo.isVisible()).toBe(true);
    // A link to the filter shows the same templates.
    await page.reload();
    await echo.waitFor();
    expect(await sketcher.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'AMD (0)' }).click();
    await page.getByText('No template matches the filters.').waitFor();
  });

  inBrowser('leads to the releases of an endpoint that runs the template, and back', async ({ page }) => {
    await signIn(page, service(), 'admin', '/templates/endpoint-echo');
    const releases = page.getByRole('link', { name: 'All releases of echo' });
    await releases.waitFor();
    // The console remains loaded, with all its data.
    await page.evaluate('globalThis.isLoaded = true');
    await releases.click();
    const ofEndpoint = page.getByRole('table', { name: 'Releases', exact: true });
    await ofEndpoint.getByRole('link', { name: /^v1/ }).click();
    await releases.waitFor();
    expect(await page.evaluate('globalThis.isLoaded')).toBe(true);
  });

  inBrowser('is edited after a comparison of the changes, and deleted', async ({ page }) => {
    await create(page, 'Sculptor');
    await press(page, 'Edit');
    await field(page, 'Container image').fill('registry.example.com/team/sculptor:2');
    await press(page, 'Review changes');
    const review = page.getByRole('dialog', { name: 'Save these changes?' });
    const change = await review.getByRole('row', { name: /Container image/ }).textContent();
    expect(change).toMatch(/sculptor:1.*sculptor:2/);
    await review.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Sculptor', level: 1 }).waitFor();
    await page.getByText('registry.example.com/team/sculptor:2').first().waitFor();
    await press(page, 'Delete');
    await page.getByRole('dialog', { name: 'Delete Sculptor?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'Echo', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Sculptor', exact: true }).waitFor({ state: 'hidden' });
  });
});

describe('a change of a template that a file declares', () => {
  inBrowser(
    'is shown with its reason as a difference from Git, until the user returns to the file',
    async ({ page }) => {
      await editEndpoint(page, 'echo');
      await field(page, 'Readme').fill('# Changed in the console');
      await press(page, 'Review changes');
      const review = page.getByRole('dialog', { name: 'Save these changes?' });
      await review.getByText('endpoints/echo.yaml').waitFor();
      await review.getByRole('textbox', { name: 'Reason' }).fill('Incident 7');
      await review.getByRole('button', { name: 'Save', exact: true }).click();
      const difference = page
        .getByRole('table', { name: 'Differences from Git' })
        .getByRole('row', { name: /^Readme/ });
      await difference.waitFor();
      expect(await difference.textContent()).toMatch(/# Changed in the console.*User admin, .*Incident 7$/);

      await page.getByRole('link', { name: 'Templates', exact: true }).first().click();
      await page.getByRole('row', { name: /^endpoint-echo Differs from Git/ }).waitFor();
      await page.goto(`${origin()}/console/endpoints/echo?tab=settings`);
      await page.getByText('Differs from endpoints/echo.yaml').waitFor();

      await page.getByRole('link', { name: 'endpoint-echo', exact: true }).click();
      await press(page, 'Return to the file');
      await review.getByRole('button', { name: 'Save', exact: true }).click();
      await difference.waitFor({ state: 'hidden' });
      await page.getByText('Declared in Git, in endpoints/echo.yaml.').waitFor();
    },
  );
});

describe('a change of a template that an endpoint runs', () => {
  /** Finds the last release of the endpoint on the page of the template. */
  const lastRelease = (page: Page) =>
    page.getByRole('table', { name: 'Endpoints that use this template' }).getByRole('row', { name: /^echo / });

  inBrowser('replaces workers while the page shows the progress', async ({ page }) => {
    // The worker is not replaced before its job has ended.
    const { json } = await submit(service(), '{"input":{"op":"sleep","ms":600000}}');
    await jobIn(service(), json.id, 'IN_PROGRESS');
    const release = lastRelease(page);
    await editEndpoint(page, 'echo');
    await press(page, 'Add variable');
    await field(page, 'Name of variable 1').fill('GREETING');
    await field(page, 'Value of variable 1').fill('hello');
    await saveAndRollOut(page);
    await page.getByText(/^Rolling out: \d of \d workers? replaced$/).waitFor();
    await call(service(), 'POST', `${service().JobApiUrl}/echo/cancel/${json.id}`);
    await release.getByText('Complete', { exact: true }).waitFor({ timeout: 180_000 });
  });

  inBrowser('is rolled back if its image is missing, and the page shows why', async ({ page }) => {
    // A release of an endpoint without workers is complete at once, and the worker of the test before could be idle for
    // so long that it stops.
    const before = await submit(service(), '{"input":{}}');
    await jobIn(service(), before.json.id, 'COMPLETED');
    const bad = lastRelease(page);
    await editEndpoint(page, 'echo');
    await field(page, 'Container image').fill('registry.example/not-there:1');
    await saveAndRollOut(page);
    await page
      .getByText(/^Rolling out/)
      .first()
      .waitFor();
    const { json } = await submit(service(), '{"input":{}}');
    await bad.getByText('Rolled back').waitFor({ timeout: 200_000 });
    expect(await bad.textContent()).toContain('registry.example/not-there:1 cannot be pulled');
    await jobIn(service(), json.id, 'COMPLETED', 100_000);
    await page.getByRole('link', { name: 'echo', exact: true }).click();
    await page.getByText('registry.example/not-there:1 cannot be pulled').first().waitFor();
  });
});
