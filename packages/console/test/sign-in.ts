/** Signs in to the console of `npm start`, with the link that the terminal shows and the page that offers the roles. */
import type { Page } from 'playwright-core';
import type { Outputs } from './service.ts';

type Service = Pick<Outputs, 'ConsoleUrl' | 'JobApiUrl'>;

export type Role = 'viewer' | 'operator' | 'admin';

/** Opens the link. The next page of the console then redirects to the page that offers the roles. */
async function openLink(page: Page, { ConsoleUrl }: Pick<Service, 'ConsoleUrl'>): Promise<void> {
  await page.context().request.get(ConsoleUrl, { maxRedirects: 0 });
}

/** Chooses the role on the page that replaces the sign-in pages, and waits for the console. */
export async function chooseRole(page: Page, role: Role): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${role}`) }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

/**
 * Opens the console as a user with the role.
 * @param path below `/console`; by default, the page that the link opens
 */
export async function signIn(page: Page, service: Service, role: Role, path?: string): Promise<void> {
  if (path === undefined) await page.goto(service.ConsoleUrl);
  else {
    await openLink(page, service);
    await page.goto(`${new URL(service.JobApiUrl).origin}/console${path}`);
  }
  await chooseRole(page, role);
}
