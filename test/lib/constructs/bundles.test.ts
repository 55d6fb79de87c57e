import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { functionBundles } from '../../../lib/constructs/bundle.ts';
import { BUNDLE_BOUND } from '../../support/function-bundles.ts';

describe('the code of functions', () => {
  it(`has at most ${BUNDLE_BOUND} bytes for each function, compressed`, () => {
    const sizes = [...functionBundles(false)].map(([name, code]) => ({ name, size: gzipSync(code).length }));
    expect(sizes.map(({ name }) => name)).toContain('lambda/jobs/runsync.ts.js');
    expect(sizes.filter(({ size }) => size > BUNDLE_BOUND)).toEqual([]);
  });
});
