/** Saves content of a page as a file. */

/** @param content text is saved as UTF-8 */
export function save(name: string, content: BlobPart, type = 'application/json'): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers read the file a moment after the click is handled.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
