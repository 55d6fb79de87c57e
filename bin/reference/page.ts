/** A page of the reference of configuration in Markdown. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { guides } from '../../lib/settings/field-text.ts';
import { packageFolder } from '../../lib/settings/package-files.ts';
import { block, code, pageOf, table } from '../pages/markdown.ts';
import type { Row } from './rows.ts';

export const FOLDER = 'docs/reference/configuration';
const EXAMPLES = 'bin/reference/examples';

export interface Example {
  readonly heading: string;
  /** Name of a file in `bin/reference/examples/`. */
  readonly file: string;
}

/** A part of a page with its own heading. */
export interface Section {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

export interface Page {
  readonly title: string;
  /** Paragraphs in Markdown. */
  readonly introduction: readonly string[];
  readonly examples: readonly Example[];
  readonly rows: readonly Row[];
  readonly sections?: readonly Section[];
}

const titleOf = (path: string): string =>
  /^# (.+)$/m.exec(readFileSync(join(packageFolder, path), 'utf8'))?.[1] ?? path;

/** Returns a link to a guide, with the title of its page. */
export function linkTo(guide: keyof typeof guides): string {
  const target = posix.join('docs', guides[guide]);
  const [path = ''] = target.split('#');
  return `[${titleOf(path)}](${posix.relative(FOLDER, target)})`;
}

export const fieldTable = (rows: readonly Row[]): string =>
  table(
    ['field', 'type', 'default', 'allowed values', 'effect', 'details'],
    rows.map(({ field, type, without, allowed, effect, guide }) => [
      code(field),
      type,
      without,
      allowed,
      effect,
      guide === undefined ? '' : linkTo(guide),
    ]),
  );

export const exampleText = (file: string): string => readFileSync(join(packageFolder, EXAMPLES, file), 'utf8');

/** Returns the text of the page. */
export const markdownOf = ({ title, introduction, examples, rows, sections = [] }: Page): string =>
  pageOf(title, 'generate', [
    ...introduction,
    ...examples.flatMap(({ heading, file }) => [`## ${heading}`, block('yaml', exampleText(file).trimEnd())]),
    '## Fields',
    fieldTable(rows),
    ...sections.flatMap(({ heading, paragraphs }) => [`## ${heading}`, ...paragraphs]),
  ]);
