/** Tests what is derived from the records of operations (`core/operations/`). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { routeTable } from '../../bin/pages/route-table.ts';
import { allOperations } from '../../core/operations/all.ts';
import { functionBundles } from '../../lib/constructs/bundle.ts';

describe('the table of routes', () => {
  it('is generated from the records (npm run generate)', () => {
    expect(readFileSync('core/operations/table.ts', 'utf8')).toBe(routeTable());
  });
});

describe('the bundles of functions', () => {
  const texts = Object.values(allOperations).map(({ summary }) => summary);
  const bundles = [...functionBundles(false)].map(([name, code]) => [name, Buffer.from(code).toString()] as const);

  it('contain no description of an operation, except the two functions that return the descriptions', () => {
    const describing = bundles.filter(([, code]) => texts.some((text) => code.includes(text))).map(([name]) => name);
    expect(describing).toEqual(['lambda/openapi/jobs.ts.js', 'lambda/openapi/management.ts.js']);
  });
});
