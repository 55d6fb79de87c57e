import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { acknowledge } from '../../../lib/constructs/acknowledge.ts';
import { addChecks } from '../../../lib/deployment/checks.ts';
import { createApp, declare, declarePool, templatesOnly } from '../synthesis.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'checks-'));
  folders.push(folder);
  return folder;
}

/** Creates an app with one queue that accepts connections without TLS and has no dead-letter queue. */
function careless(): { app: App; queue: Queue } {
  const app = new App({ outdir: newFolder() });
  const queue = new Queue(new Stack(app, 'Careless'), 'Queue');
  addChecks(app);
  return { app, queue };
}

describe('the AWS Solutions rules', () => {
  it('find only acknowledged problems, for any endpoints', () => {
    const pools = [declarePool('nvidia'), declarePool('amd', { kind: 'amd', instanceTypes: ['g4ad.xlarge'] })];
    const endpoints = [
      declare('one'),
      declare('two', { minWorkers: 1, env: { MODE: 'fast' } }),
      ...pools.map(({ id }) => declare(`on-${id}`, { capacity: id })),
    ];
    const app = createApp(newFolder(), endpoints, templatesOnly, pools);
    addChecks(app);
    expect(() => app.synth()).not.toThrow();
  });

  it('fail a synthesis that violates a rule', () => {
    expect(() => careless().app.synth()).toThrow('AwsSolutions-SQS4');
  });

  it('accept only problems that are acknowledged with a reason', () => {
    const some = careless();
    acknowledge(some.queue, { SQS3: 'This queue does not need it.' });
    expect(() => some.app.synth()).toThrow('AwsSolutions-SQS4');
    const all = careless();
    acknowledge(all.queue, { SQS3: 'This queue does not need it.', SQS4: 'This queue does not need it.' });
    expect(() => all.app.synth()).not.toThrow();
  });
});
