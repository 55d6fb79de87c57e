import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SECOND, webhookCallLimits, webhookUrlLimits } from '../../core/limits.ts';
import { isPublicAddress } from '../../core/webhooks/address.ts';
import { failures } from '../../lambda/webhooks/egress/outcome.ts';

const page = readFileSync('docs/guides/webhooks.md', 'utf8');
const prose = page.replaceAll(/\s+/g, ' ');

describe('docs/guides/webhooks.md', () => {
  it('lists every reason for a missing status', () => {
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| [^|]+ \| [^|]+ \|$/gm)].map(([, reason]) => reason);
    expect(rows).toEqual(expect.arrayContaining(Object.keys(failures)));
  });

  it('has examples that are not public', () => {
    const [, table = ''] = page.split('| not public');
    const [rows = ''] = table.split('\n\n');
    const addresses = [...rows.matchAll(/`([0-9a-f:.]+)(?:\/\d+)?`/g)].map(([, address = '']) => address);
    expect(addresses.length).toBeGreaterThan(10);
    // `2000::/3` is public. The page names it as the range that contains all public addresses.
    for (const address of addresses.filter((one) => one !== '2000::'))
      expect([address, isPublicAddress(address)]).toEqual([address, false]);
  });

  it('has the numbers of the code', () => {
    const { name, connect, answer, body, head } = webhookCallLimits;
    const { characters, ports, freePorts } = webhookUrlLimits;
    expect(prose).toContain(`more than ${characters} characters`);
    expect(prose).toContain(`other than ${ports.join(', ')} and ${freePorts.min} to ${freePorts.max}`);
    expect(prose).toContain(`The name has ${name / SECOND} s, connection and TLS have ${connect / SECOND} s`);
    expect(prose).toContain(`within ${answer / SECOND} s of the first packet`);
    expect(prose).toContain(`for ${body.time / SECOND} s or ${body.bytes / 1024} KB`);
    expect(prose).toContain(`a head of more than ${head / 1024} KB`);
  });
});
