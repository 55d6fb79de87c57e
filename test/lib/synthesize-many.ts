/**
 * Synthesizes many endpoints and prints the number of stacks and the CPU time:
 * `node test/lib/synthesize-many.ts NUMBER`. It runs in a separate process, because it measures the whole process.
 * It does not bundle functions or validate templates for CloudFormation, because both take as long as the synthesis.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { addStacks } from '../../lib/deployment/deployment.ts';
import { declare, declarePool, templatesOnly } from './synthesis.ts';

const count = Number(process.argv[2]);
const outdir = mkdtempSync(join(tmpdir(), 'many-endpoints-'));
try {
  const endpoints = Array.from({ length: count }, (_, number) =>
    declare(`endpoint-${number}`, number % 2 === 0 ? { capacity: 'nvidia' } : {}),
  );
  const app = new App({ outdir, context: templatesOnly, builtinCloudFormationValidation: false });
  addStacks(app, endpoints, { pools: [declarePool('nvidia')] });
  const stacks = app.synth().stacks.length;

  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ stacks, cpuSeconds: (user + system) / 1e6 }));
} finally {
  rmSync(outdir, { recursive: true });
}
