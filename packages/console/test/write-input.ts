/** Types into the editor of the playground as a user does, and replaces the current text. */
import type { Page } from 'playwright-core';

/** @param input replaces the text of the editor */
export async function writeInput(page: Page, input: string): Promise<void> {
  // A text area is shown until the editor is loaded.
  await page.locator('.cm-content').waitFor();
  await page.getByRole('textbox', { name: 'Input as JSON' }).press('ControlOrMeta+a');
  await page.keyboard.insertText(input);
}
