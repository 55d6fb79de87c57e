/**
 * Returns the anchor that GitHub gives a heading, so that the same links work on GitHub and on the site. The second of
 * two equal headings gets `-1`, which is the caller's part.
 */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
