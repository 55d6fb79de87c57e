/** Text in which `*` stands for any characters and `?` for one; both may stand for a colon or a slash, as in AWS. */
export interface Wildcard {
  readonly text: string;
  matches(value: string): boolean;
}

const special = /[.*+?^${}()|[\]\\]/g;

const expression = (text: string, flags: string) => {
  const source = text.replace(special, (character) => ({ '*': '.*', '?': '.' })[character] ?? `\\${character}`);
  return new RegExp(`^${source}$`, `s${flags}`);
};

export function wildcard(text: string, { ignoreCase = false } = {}): Wildcard {
  const pattern = expression(text, ignoreCase ? 'i' : '');
  return { text, matches: (value) => pattern.test(value) };
}

const ARN_PARTS = 6;

/** The six parts of an ARN; the last one may have colons of its own. */
function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  return [...parts.slice(0, ARN_PARTS - 1), parts.slice(ARN_PARTS - 1).join(':')];
}

/** An ARN in which wildcards stay within its parts, as the ARN operators of conditions have it. */
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
