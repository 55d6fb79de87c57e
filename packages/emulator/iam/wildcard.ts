/**
 * A pattern in which `*` matches any characters and `?` matches one. As in AWS, both can match a colon or a slash.
 */
export interface Wildcard {
  readonly text: string;
  matches(value: string): boolean;
}

const special = /[.*+?^${}()|[\]\\]/g;

const expression = (text: string, flags: string) => {
  const source = text.replace(special, (character) => ({ '*': '.*', '?': '.' })[character] ?? `\\${character}`);
  return new RegExp(`^${source}$`, `s${flags}`);
};

/** Most patterns are complete names, and each call compares several of them. */
const isName = (text: string) => !/[*?]/.test(text);

export function wildcard(text: string, { ignoreCase = false } = {}): Wildcard {
  if (isName(text) && !ignoreCase) return { text, matches: (value) => value === text };
  const pattern = expression(text, ignoreCase ? 'i' : '');
  return { text, matches: (value) => pattern.test(value) };
}

const ARN_PARTS = 6;

/** Splits an ARN into its six parts; the last part can contain colons. */
function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  return [...parts.slice(0, ARN_PARTS - 1), parts.slice(ARN_PARTS - 1).join(':')];
}

/** Compiles an ARN in which wildcards do not match beyond one part, as for the ARN operators of conditions. */
export function arnWildcard(text: string): Wildcard {
  const patterns = arnParts(text).map((part) => wildcard(part));
  return {
    text,
    matches(value) {
      const parts = arnParts(value);
      return parts.length === patterns.length && patterns.every((pattern, at) => pattern.matches(parts[at] ?? ''));
    },
  };
}
