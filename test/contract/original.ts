/** Compares the page with a specification of the contract. It compares names and numbers, but not prose. */

interface Fact {
  readonly section: string;
  readonly fact: string;
}

/** Headings of the sections that the page covers. The other sections of a specification are prose. */
const OF_INTERFACES = [
  /^Job\b/,
  /^Stream chunk/,
  /^Health record/,
  /^Purge result/,
  /^Template/,
  /^States and transitions/,
  /^Endpoints/,
  /^Authentication/,
  /^Events/,
  /^Errors/,
  /^Limits/,
  /^Versioning/,
];

const HEADING = /^#{2,3} (.*)$/m;

/** Words in backquotes, fields before their type in parentheses, states, status codes, and numbers. */
const FACTS = [
  /`([^`]+)`/g,
  /\b([a-z]+(?:_[a-z]+)+) \((?:number|integer|string)\)/g,
  /\b(IN_QUEUE|IN_PROGRESS|COMPLETED|FAILED|CANCELLED|TIMED_OUT)\b/g,
  /(?<![\w.])(\d+)(?![\w.]*\w)/g,
  /^\| ([a-zA-Z][\w.]*) \|/gm,
];

/** Titles of columns, and other words that name no fact. */
const NO_FACTS = new Set([
  'Field',
  'State',
  'Method',
  'Operation',
  'Event',
  'GET',
  'POST',
  'HTTP',
  'string',
  'integer',
  'number',
]);

/** Each field of an object such as `{id, status: string}` is a fact; a placeholder is not. */
function wordsOf(fact: string): string[] {
  if (/^<.*>$/.test(fact)) return [];
  return /^\{.*[,:].*\}$/.test(fact) ? (fact.match(/\w+(?=[,:}])/g) ?? []) : [fact];
}

function factsIn(text: string): string[] {
  const found = FACTS.flatMap((pattern) => [...text.matchAll(pattern)].flatMap(([, fact = '']) => wordsOf(fact)));
  return found.filter((fact) => !NO_FACTS.has(fact));
}

function sectionsOf(original: string): { heading: string; body: string }[] {
  const parts = original.split(HEADING).slice(1);
  return parts.flatMap((heading, n) => (n % 2 === 0 ? [{ heading, body: parts[n + 1] ?? '' }] : []));
}

/** Removes the numbers of rules, which are not facts. */
const withoutNumbers = (body: string) => body.replace(/^\d+\. /gm, '');

/** Returns whether the page contains the fact, or the part of the fact after its last dot. */
function isOnPage(fact: string, page: string): boolean {
  const word = fact.replace(/^.*[.]/, '');
  return [fact, word].some((form) => {
    const escaped = form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`(?<![A-Za-z0-9_])${escaped}(?![A-Za-z0-9_])`).test(page);
  });
}

/** Returns the facts in the specification's sections about the interfaces that are not on the page. */
export function missingFrom(page: string, original: string): Fact[] {
  const sections = sectionsOf(original).filter(({ heading }) => OF_INTERFACES.some((pattern) => pattern.test(heading)));
  return sections.flatMap(({ heading, body }) =>
    [...new Set(factsIn(withoutNumbers(body)))]
      .filter((fact) => !isOnPage(fact, page))
      .map((fact): Fact => ({ section: heading, fact })),
  );
}
