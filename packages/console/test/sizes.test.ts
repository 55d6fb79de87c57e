import { describe, expect, it } from '@jest/globals';
import { sizesOf, tooLarge } from '../build/sizes.ts';

/** A build with an index that uses a library, and two pages that share a chart. */
const chunks = {
  'index.html': { file: 'assets/index.js', isEntry: true, css: ['assets/index.css'], imports: ['_library.js'] },
  '_library.js': { file: 'assets/library.js', imports: ['index.html'] },
  '_chart.js': { file: 'assets/chart.js', imports: ['_library.js'] },
  'pages/overview/page.tsx': { file: 'assets/overview.js', isDynamicEntry: true, imports: ['_chart.js'] },
  'pages/keys/page.tsx': { file: 'assets/keys.js', isDynamicEntry: true, css: ['assets/keys.css'] },
  'json/editor.tsx': { file: 'assets/editor.js', isDynamicEntry: true },
  '../../node_modules/oidc-client-ts/dist/index.js': { file: 'assets/oidc.js', isDynamicEntry: true },
};

const bytes: Readonly<Record<string, number>> = {
  'assets/index.js': 100_000,
  'assets/index.css': 50_000,
  'assets/library.js': 10_000,
  'assets/chart.js': 90_000,
  'assets/overview.js': 5_000,
  'assets/keys.js': 1_000,
  'assets/keys.css': 200,
  'assets/oidc.js': 15_000,
};

const sizes = sizesOf({ chunks }, (file) => bytes[file] ?? Number.NaN);

describe('the size of the console', () => {
  it('sums the files that each page loads initially, each file only once', () => {
    expect(sizes).toEqual([
      { route: 'shell', script: 125_000, style: 50_000 },
      { route: 'pages/overview/page.tsx', script: 220_000, style: 50_000 },
      { route: 'pages/keys/page.tsx', script: 126_000, style: 50_200 },
    ]);
  });

  it('is too large above 300 KB for the shell, and above 340 KB for a page', () => {
    const sized = (route: string, all: number) => ({ route, script: all - 50_000, style: 50_000 });
    const fits = [sized('shell', 300_000), sized('pages/a/page.tsx', 340_000)];
    const above = [sized('shell', 300_001), sized('pages/a/page.tsx', 340_001)];
    expect(tooLarge([...fits, ...above])).toEqual(above);
  });
});
