/** The wall of the worker: which functions over texts of workers and clients the page calls itself. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** Functions of the worker's files that read at most a few thousand characters of a text, by their file. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  'packages/console/job/media.ts': ['endingOf'],
  'packages/console/json/display.ts': ['preview', 'seen'],
  'packages/console/json/scan.ts': ['kindAt'],
  'packages/console/json/syntax-error.ts': ['JsonSyntaxError'],
};

/** Files that call functions over whole texts, and why their texts have at most 1 MB. */
const SMALL: Readonly<Record<string, string>> = {
  'packages/console/job/worker-error-view.tsx': '`workerError` finds tracebacks in at most 1,000,000 characters',
  'packages/console/reading/read.ts': 'it gives larger texts to the worker',
  'packages/console/playground/request.ts': '`inputError` refuses larger inputs',
  'packages/console/playground/fields.ts': '`fieldsOf` calls `inputError` before',
  'packages/console/playground/input-panel.tsx': 'it formats inputs of at most 200,000 characters',
};

interface Import {
  readonly from: string;
  /** Names of values, without types. */
  readonly names: readonly string[];
}

function importsOf(file: string): readonly Import[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^import \{([^}]*)\} from '(\.[^']+)';/gm)].map(([, names = '', from = '']) => ({
    from: join(dirname(file), from),
    names: names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type ')),
  }));
}

/** Returns the files that the worker runs. */
function filesFrom(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const { from, names } of importsOf(file)) if (names.length > 0) filesFrom(from, found);
  return found;
}

const ofWorker = filesFrom('packages/console/reading/worker.ts');

/** Returns each function that a page's file calls although only the worker may. */
const calledBy = (file: string): readonly string[] =>
  importsOf(file)
    .filter(({ from }) => ofWorker.has(from))
    .flatMap(({ from, names }) => names.filter((name) => !SHORT[from]?.includes(name)))
    .map((name) => `${file}: ${name}`);

const ofPage = globSync('packages/console/**/*.{ts,tsx}', {
  exclude: ['packages/console/{dist,node_modules,test}/**'],
}).filter((file) => !ofWorker.has(file));

describe('the page', () => {
  it('calls no function over a text that can have more than 1 MB', () => {
    expect(ofWorker).toContain('packages/console/json/scan.ts');
    expect(ofPage.filter((file) => !(file in SMALL)).flatMap(calledBy)).toEqual([]);
  });

  it('has no exception that is not needed', () => {
    expect(Object.keys(SMALL).filter((file) => calledBy(file).length === 0)).toEqual([]);
    const used = new Set(
      ofPage.flatMap(importsOf).flatMap(({ from, names }) => names.map((name) => `${from}: ${name}`)),
    );
    const short = Object.entries(SHORT).flatMap(([file, names]) => names.map((name) => `${file}: ${name}`));
    expect(short.filter((name) => !used.has(name))).toEqual([]);
  });
});
