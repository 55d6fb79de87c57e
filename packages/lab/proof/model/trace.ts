/** Describes a sequence to explain a failure. */
import type { Done } from './history.ts';
import type { Sequence } from './sequence.ts';

const shown = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value));

function saidBy({ outcome }: Done): string {
  switch (outcome.is) {
    case 'answered':
      return shown(outcome.answer).slice(0, 160);
    case 'refused':
      return outcome.code;
    case 'failed':
      return String(outcome.error);
    default:
      return outcome.is;
  }
}

export function traceOf({ history, log, jobs, faults }: Sequence): string {
  const asked = history.dones.map(
    (done) => `  ${done.number} [${done.start}..${done.end}] ${shown(done.operation)}: ${saidBy(done)}`,
  );
  const stored = jobs.flatMap((id) => [
    `  ${id}`,
    ...log.versionsOf(id).map(({ index, at, by, job }) => {
      const { input: _, ...rest } = job;
      return `    [${index}] at ${at} by ${by.operation} ${by.number}: ${shown(rest)}`;
    }),
  ]);
  const struck = faults.struck.map((fault) => `  ${shown(fault)}`);
  return ['asked:', ...asked, 'stored:', ...stored, 'struck:', ...struck].join('\n');
}
