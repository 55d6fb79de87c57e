import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { waitReasons } from '../../core/jobs/wait-reason.ts';
import { ARRIVAL_SPAN } from '../../core/ledger/arrivals.ts';
import { LEASE, MINUTE, policyLimits, SECOND, START_LIMIT } from '../../core/limits.ts';

const page = readFileSync('docs/waiting.md', 'utf8');

describe('docs/waiting.md', () => {
  it('lists every reason in the order in which they are decided, each with what it says and what helps', () => {
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| ([^|]+?) +\| ([^|]+?) +\|$/gm)];
    expect(rows.map(([, reason]) => reason)).toEqual(Object.keys(waitReasons));
  });

  it('has the numbers of the code', () => {
    expect(page).toContain(`more than ${START_LIMIT / MINUTE} minutes ago`);
    expect(page).toContain(`ends ${LEASE / SECOND} s after`);
    expect(page).toContain(`in the same ${ARRIVAL_SPAN / SECOND} seconds`);
    expect(page).toContain(`more than ${policyLimits.ttl.max / (24 * 60 * MINUTE)} days after`);
  });
});
