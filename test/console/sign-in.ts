/** Signs in to the console as a user of `npm start` does: by the link of the terminal and the page with the roles. */
import type { Page } from 'playwright-core';
import type { Outputs } from '../acceptance/local-service.ts';

type Service = Pick<Outputs, 'ConsoleUrl' | 'JobApiUrl'>;

export type Role = 'viewer' | 'operator' | 'admin';

/** The browser then shows the page with the roles, once it is asked for a page of the console. */
async function openLink(page: Page, { ConsoleUrl }: Pick<Service, 'ConsoleUrl'>): Promise<void> {
  await page.context().request.get(ConsoleUrl, { maxRedirects: 0 });
}

/** Chooses the role on the page that takes the place of the sign-in pages, and waits for the console. */
export async function chooseRole(page: Page, role: Role): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${role}`) }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

/** Opens the console as a user of the role. @param path below `/console`. @default - what the link leads to */
export async function signIn(page: Page, service: Service, role: Role, path?: string): Promise<void> {
  if (path === undefined) await page.goto(service.ConsoleUrl);
  else {
    await openLink(page, service);
    await page.goto(`${new URL(service.JobApiUrl).origin}/console${path}`);
  }
  await chooseRole(page, role);
}
