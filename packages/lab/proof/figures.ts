/** Prints the figures of a proof. */
import { createHash } from 'node:crypto';
import { transitions } from '../../../core/jobs/transitions.ts';
import { faultKinds } from './calls/faults.ts';
import type { Proof } from './explorer/prove.ts';
import type { Counts, Figures } from './model/model.ts';
import { sites } from './model/sites.ts';

const table = (counts: Counts | ReadonlyMap<string, number>, names: readonly string[]) =>
  names.map((name) => `  ${name.padEnd(40)} ${counts.get(name) ?? 0}`).join('\n');

/** Returns a digest of the orders of writes, which is the same for every run with the same seed. */
const digestOf = ({ orders }: Figures) =>
  createHash('sha256')
    .update([...orders].join())
    .digest('hex')
    .slice(0, 12);

const missing = (counts: Counts, names: readonly string[]) => names.filter((name) => !counts.has(name));

/** Returns the call sites that no sequence has reached. The rarest site is reached by one in hundreds of sequences. */
export const unreached = ({ sites: visited }: Figures): string[] => missing(visited, sites);

/** Returns the rows and kinds of faults that were not visited, and the visited call sites that are not in the list. */
export function unvisited({ rows, faults, sites: visited }: Figures): string[] {
  return [
    ...missing(rows, Object.keys(transitions)),
    ...missing(faults, faultKinds),
    ...[...visited.keys()].filter((site) => !sites.includes(site)).map((site) => `${site} (not listed in sites.ts)`),
  ];
}

export const modelFigures = (figures: Figures): string => `model: ${figures.sequences} sequences, ${
  figures.operations
} operations, ${figures.writes} writes in ${figures.orders.size} different orders, digest ${digestOf(figures)}
rows of the transition table, and how often each was taken
${table(figures.rows, ['accept', ...Object.keys(transitions)])}
faults, and how often each struck
${table(figures.faults, faultKinds)}
call sites, the sequences that reached each, and the faults that struck there
${sites
  .filter((site) => figures.sites.has(site))
  .map(
    (site) =>
      `  ${site.padEnd(40)} ${String(figures.sites.get(site)).padStart(6)} ${String(figures.struckAt.get(site) ?? 0).padStart(6)}`,
  )
  .join('\n')}`;

export function explorerFigures({ walks, found, rows, ...sums }: Proof): string {
  const walked = walks.map(({ name, states, transitions: edges, depth, complete, milliseconds, violation }) => {
    const end = violation ? `BREAKS ${violation.invariant}` : complete ? 'complete' : 'stopped at its limit of states';
    return `  ${name.padEnd(58)} ${String(states).padStart(8)} states ${String(edges).padStart(8)} transitions, depth ${depth}, ${milliseconds} ms, ${end}`;
  });
  const broke = found.map(
    ({ name, breaks, broke: really, trace }) =>
      `  ${name.padEnd(76)} ${really === breaks ? `breaks ${breaks} after ${trace.length} steps` : `SHOULD BREAK ${breaks}, broke ${really ?? 'nothing'}`}`,
  );
  const counts = new Map(Object.entries(rows));
  return `explorer: ${sums.states} states, ${sums.transitions} transitions, ${sums.evaluations} evaluations of invariants, ${sums.milliseconds} ms
${walked.join('\n')}
without one precaution
${broke.join('\n')}
rows of the transition table
${table(counts, Object.keys(transitions))}`;
}
