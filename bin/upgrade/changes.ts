/** Reads what a changelog in the format of Keep a Changelog says about the versions after another one. */

/** Returns the sections of all versions after `from`, newest first, with their headings. */
export function changesAfter(changelog: string, from: string): string {
  const sections = changelog.split(/^## (?=\[)/m).slice(1);
  const present = sections.findIndex((section) => section.startsWith(`[${from}]`));
  const later = present === -1 ? sections : sections.slice(0, present);
  return later
    .map((section) => `## ${section}`)
    .join('')
    .trim();
}
