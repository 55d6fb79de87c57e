/** Writes into the editor of the playground as a user does: with keys, over the present text. */
import type { Page } from 'playwright-core';

/** @param input replaces what the editor has */
export async function writeInput(page: Page, input: string): Promise<void> {
  // A text area holds its place until the editor is loaded.
  await page.locator('.cm-content').waitFor();
  await page.getByRole('textbox', { name: 'Input as JSON' }).press('ControlOrMeta+a');
  await page.keyboard.insertText(input);
}
