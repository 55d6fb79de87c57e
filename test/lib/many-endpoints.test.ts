import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { addStacks } from '../../lib/deployment.ts';
import { declare, declarePool, unbundled } from './synthesis.ts';

const ENDPOINTS = 200;
/** Some twice of what they took; what grows with the square of the endpoints takes far more. */
const MOST_CPU_SECONDS = 30;
const MOST_HEAP_MB = 1000;

describe('two hundred endpoints', () => {
  it('are synthesized in one go', () => {
    const outdir = mkdtempSync(join(tmpdir(), 'many-endpoints-'));
    const before = process.cpuUsage();
    const endpoints = Array.from({ length: ENDPOINTS }, (_, number) =>
      declare(`endpoint-${number}`, number % 2 === 0 ? { capacity: 'nvidia' } : {}),
    );
    // CloudFormation's rules are checked on each kind of endpoint by the other tests.
    const app = new App({ outdir, context: unbundled, builtinCloudFormationValidation: false });
    addStacks(app, endpoints, [declarePool('nvidia')]);
    const { stacks } = app.synth();
    const { user, system } = process.cpuUsage(before);
    rmSync(outdir, { recursive: true });

    expect(stacks).toHaveLength(3 + ENDPOINTS);
    expect((user + system) / 1e6).toBeLessThan(MOST_CPU_SECONDS);
    expect(process.memoryUsage().heapUsed / 1e6).toBeLessThan(MOST_HEAP_MB);
  }, 120_000);
});
