/** Signs in to the console of `npm start`, as a user does who opens the link of the terminal. */
import type { Page } from 'playwright-core';
import type { LocalService } from '../acceptance/local-service.ts';

export type Role = 'viewer' | 'operator' | 'admin';

/** Opens the console as a user of the role, and waits for its frame. @param path below `/console` */
export async function signIn(page: Page, service: LocalService, role: Role, path = '/'): Promise<void> {
  // The browser keeps the code of the link.
  await page.request.get(service.ConsoleUrl, { maxRedirects: 0 });
  await page.goto(`${new URL(service.JobApiUrl).origin}/console${path}`);
  await page.locator(`button[name="group"][value="${role}"]`).click();
  await page.getByRole('banner').waitFor();
}
