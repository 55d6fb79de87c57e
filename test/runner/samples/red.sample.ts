/** Fails in all ways that the report must explain. */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { seedOf } from '../seed.ts';

const seed = seedOf('SAMPLE_SEED', 7);

describe('a red file', () => {
  it('compares', () => {
    console.log(`printed with seed ${seed}`);
    writeFileSync(join(tmpdir(), 'service.log'), 'what a service has logged');
    expect({ status: 'FAILED' }).toEqual({ status: 'COMPLETED' });
  });

  it('waits', () => {
    throw new Error('Not within 60000 ms: the job is COMPLETED.');
  });

  it('fails with a long line', () => {
    throw new Error(`The output is ${'x'.repeat(5_000)}.`);
  });

  it('takes too long', () => new Promise(() => undefined), 50);

  it('is green', () => undefined);
});
