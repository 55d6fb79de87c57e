/** Saves what a page has as a file. */

/** @param content text is saved as UTF-8 */
export function save(name: string, content: BlobPart, type = 'application/json'): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has the file once the click is handled; some read it a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
