import { existsSync, readFileSync } from 'node:fs';
import type { LoggedFault } from '../../../packages/emulator/aws-proxy/faults.ts';

export function readFaults(file: string): LoggedFault[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as LoggedFault] : []));
}

/** Returns one line for each site with the number of faults of each kind, and their sums. */
export function summaryOf(faults: readonly LoggedFault[], kinds: readonly string[]): string {
  const line = (numbers: readonly string[], name: string) =>
    [...numbers.map((text, n) => text.padStart((kinds[n]?.length ?? 0) + 2)), `  ${name}`].join('');
  const row = (name: string, those: readonly LoggedFault[]) =>
    line(
      kinds.map((kind) => String(those.filter((fault) => fault.kind === kind).length)),
      name,
    );
  const bySite = [...Map.groupBy(faults, ({ site }) => site)].toSorted(([one], [other]) => one.localeCompare(other));
  return [line(kinds, 'site'), ...bySite.map(([site, those]) => row(site, those)), row('all', faults)].join('\n');
}
