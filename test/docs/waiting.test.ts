import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ARRIVAL_SPAN } from '../../core/ledger/arrivals.ts';
import { backOffLimits, HOUR, LEASE, MINUTE, policyLimits, SECOND, START_LIMIT } from '../../core/limits.ts';
import { waitReasons } from '../../core/status/waiting.ts';
import { pauseBefore } from '../../core/workers/back-off.ts';

const page = readFileSync('docs/guides/waiting.md', 'utf8');
const prose = page.replaceAll(/\s+/g, ' ');

describe('docs/guides/waiting.md', () => {
  it('lists every reason in the order of evaluation, with its meaning and a remedy', () => {
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| ([^|]+?) +\| ([^|]+?) +\|$/gm)];
    expect(rows.map(([, reason]) => reason)).toEqual(Object.keys(waitReasons));
  });

  it('has the numbers of the code', () => {
    expect(prose).toContain(`more than ${START_LIMIT / MINUTE} minutes ago`);
    expect(prose).toContain(`ends ${LEASE / SECOND} s after`);
    expect(prose).toContain(`in the same ${ARRIVAL_SPAN / SECOND} seconds`);
    expect(prose).toContain(`after ${backOffLimits.failures} workers in a row`);
    expect([1, 2, 3, 4].map((tries) => pauseBefore(tries) / MINUTE)).toEqual([1, 2, 4, 8]);
    expect(prose).toContain('after 2 minutes, then after 4, 8 and so on, up to an hour');
    expect([backOffLimits.window, backOffLimits.maxPause]).toEqual([HOUR, HOUR]);
    expect(prose).toContain(`more than ${policyLimits.ttl.max / (24 * 60 * MINUTE)} days after`);
  });
});
