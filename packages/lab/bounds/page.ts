/** Writes the page of the parsers and their bounds, without figures, because those differ from run to run. */
import { table } from '../../../bin/pages/aligned-table.ts';
import { parsersOf } from './parsers/all.ts';
import type { Place } from './parsers/parser.ts';
import { maxBlock } from './parsers/rules.ts';
import { accepted } from './patterns/accepted.ts';

export const PAGE = 'docs/reference/bounds.md';

const sections: readonly (readonly [Place, string, string])[] = [
  [
    'ingress',
    'The ingress',
    `One process serves the waiting calls of all endpoints. No parser blocks it for more than ${maxBlock.ingress} ms.`,
  ],
  [
    'agent',
    'The agent',
    `The agent renews the lease of its worker every 10 s. No parser blocks it for more than ${maxBlock.agent} ms.`,
  ],
  [
    'function',
    'Functions',
    'An invocation has a process of its own. Its time grows linearly with the input, and its memory fits into the 512 MB of a function.',
  ],
  [
    'console',
    'The console',
    `The page reads a text of up to 1 MB itself, and gives a larger one to its worker. To send the text and to take the result never blocks the page for more than ${maxBlock.console} ms. The worker may take longer: leaving the page ends it.`,
  ],
];

const size = (bytes: number) =>
  bytes >= 1_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000).toFixed(1)} KB`;

export async function boundsPage(): Promise<string> {
  const parts: string[] = [];
  for (const [place, title, text] of sections) {
    const rows = (await parsersOf(place)).map(({ parses, file, worst, limit, size: maxSize }) => [
      parses,
      `\`${file}\``,
      worst,
      limit,
      size(maxSize),
    ]);
    parts.push(
      `## ${title}\n\n${text}\n\n${table(['what is parsed', 'file', 'worst input', 'limit', 'size'], 4, rows)}`,
    );
  }
  const rows = accepted.map(({ file, pattern, reason, bound }) => [
    `\`${file}\``,
    `\`${pattern.replaceAll('|', '\\|')}\``,
    reason,
    bound,
  ]);
  return `# Bounds of parsers

This page lists each parser of bytes that clients, workers or AWS send, with its worst input at the largest size that its
limit permits. \`npm run bounds -w packages/lab -- --page\` writes this page. \`npm run bounds -w packages/lab\`
measures the parsers in processor time and fails if one exceeds the rule of its place; \`.ci/run\` runs it. A block is
the processor time between two turns of the event loop.

${parts.join('\n\n')}

## Patterns

The checker [recheck](https://makenowjust-labs.github.io/recheck/) examines each regular expression of the product for
exponential and polynomial time. Patterns that a text is searched with repeatedly are also measured. These patterns are
slow, and process only texts of this repository:

${table(['file', 'pattern', 'texts', 'bound'], 4, rows)}
`;
}
