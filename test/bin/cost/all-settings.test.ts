/** Tests that `npx gpu-endpoints cost estimate` has a price for each resource that settings, pools and endpoints can add. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SUFFIX } from '../../../bin/assembly/app.ts';
import type { Bill } from '../../../bin/cost/bill.ts';
import { setNames, synthesizeSet } from '../../lib/deployment/all-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-cost-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Prices the stacks with the command, as an operator does after `npx cdk synth`. */
function costOf(name: (typeof setNames)[number]) {
  const app = mkdtempSync(join(folder, 'app-'));
  for (const [stack, { text }] of Object.entries(synthesizeSet(name))) writeFileSync(join(app, stack + SUFFIX), text);
  const args = ['bin/cli.ts', 'cost', 'estimate', '--json', '--app', app];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, bill: JSON.parse(stdout) as Bill };
}

describe.each(setNames)('%s', (name) => {
  let its: ReturnType<typeof costOf>;
  beforeAll(() => {
    its = costOf(name);
  });

  it('have a price for each resource', () => {
    expect(its.bill.unpriced).toEqual([]);
    expect(its.status).toBe(0);
  });

  it('include the alarms of both pools, and the disk of the stopped instance', () => {
    const monthly = Object.fromEntries(
      its.bill.standing.filter(({ stack }) => stack === 'Fleet').map((line) => [line.what, line.monthly]),
    );
    expect(monthly['scaling alarm']).toBeCloseTo(2 * 0.2, 6);
    // 130 GB at $0.08, and 375 MiB/s above the included 125 at $0.04.
    expect(monthly['disks of stopped instances of EC2 g5.xlarge']).toBeCloseTo(25.4, 6);
  });
});
