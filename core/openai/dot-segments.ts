/** Finds segments that a server can read as `.` or `..`, which would leave the path below `/v1`. */

/**
 * A segment of one or two dots, before a character that cannot be part of a file name. Some servers remove what follows
 * `;`, and some remove spaces.
 */
const DOTS = /(?:^|[/\\])\s*\.{1,2}(?![\p{L}\p{N}_.~-])/u;

/** ASCII characters in percent-encoding. Other bytes cannot become a dot or a separator. */
const ENCODED = /%[0-7][\da-f]/gi;

/** Number of times that servers and proxies decode a path, at most. */
const DECODINGS = 3;

const decodedOnce = (path: string): string =>
  path.replace(ENCODED, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));

/**
 * Returns whether a server can read a segment of the path as `.` or `..`, even if the server decodes the path several
 * times, accepts `\` as a separator, or ignores what follows `;`. A path that is encoded more often also counts.
 */
export function hasDotSegment(path: string): boolean {
  let text = path;
  for (let n = 0; n <= DECODINGS; n += 1) {
    if (DOTS.test(text)) return true;
    const decoded = decodedOnce(text);
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}
