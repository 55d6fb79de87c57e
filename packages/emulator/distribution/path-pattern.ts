/**
 * Path patterns of behaviors: `*` matches any number of characters, and `?` matches one. Patterns are
 * case-sensitive.
 */

const WILDCARD = /[*?]/g;
const SPECIAL = /[\\^$.|+()[\]{}]/g;

/** Returns a function that checks whether a path matches the pattern. The pattern's leading slash is optional. */
export function patternOf(pattern: string): (path: string) => boolean {
  const text = pattern.startsWith('/') || pattern.startsWith('*') ? pattern : `/${pattern}`;
  const source = text.replace(SPECIAL, '\\$&').replace(WILDCARD, (character) => (character === '*' ? '.*' : '.'));
  const expression = new RegExp(`^${source}$`, 's');
  return (path) => expression.test(path);
}

const UNRESERVED = /%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dAE])/gi;

/**
 * Returns the path for matching, without dot segments and unnecessary percent-encoding (RFC 3986); undefined if the
 * path is invalid. Origins get the path as sent.
 */
export function normalizedPath(path: string): string | undefined {
  if (!path.startsWith('/')) return undefined;
  if (!path.includes('%') && !path.includes('/.')) return path;
  const decoded = path.replace(UNRESERVED, decodeURIComponent);
  return URL.parse(`http://host${decoded}`)?.pathname;
}
