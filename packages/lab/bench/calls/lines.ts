/** Counts calls: what AWS charges for each, and groups of equal calls. */

import { eachFigure, type Figures, type Kind, type Line, sumOf } from '../../../../bin/job-calls/figures.ts';
import type { Call } from './call-log.ts';
import { actorOf, targetOf } from './classify.ts';

/** Rounds a sum, so that the record contains no rounding errors. */
export const over = (figures: Figures, count: number): Figures =>
  eachFigure((name) => Math.round((figures[name] / count) * 1_000) / 1_000);

const SQS_UNIT = 64 * 1024;

export function figuresOf({ service, operation = '', wru = 0, rru = 0, requestBytes, responseBytes }: Call): Figures {
  const sqs = service === 'sqs' ? Math.max(1, Math.ceil(Math.max(requestBytes, responseBytes) / SQS_UNIT)) : 0;
  const reads = operation === 'GetObject' || operation === 'HeadObject';
  // S3 does not charge for deletions.
  const s3Put = service === 's3' && !reads && operation !== 'DeleteObject' ? 1 : 0;
  return { calls: 1, wru, rru, sqs, s3Put, s3Get: service === 's3' && reads ? 1 : 0 };
}

/** Merges equal lines, in the order of the first line of each group. */
export function linesOf(calls: readonly Call[], kind: Kind): Line[] {
  const alike = Map.groupBy(calls, (call) => [actorOf(call), call.operation, targetOf(call)].join());
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const named = { kind, actor: actorOf(first), operation: first.operation ?? '', target: targetOf(first) };
    return [{ ...named, ...sumOf(group.map(figuresOf)) }];
  });
}
