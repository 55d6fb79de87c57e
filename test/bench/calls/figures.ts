/** Sums up calls. */
import type { Call } from './call-log.ts';
import { actorOf, type Kind, targetOf } from './classify.ts';

/** The quantities that AWS charges for, and the number of calls. */
export interface Figures {
  readonly calls: number;
  /** Write and read request units of DynamoDB. */
  readonly wru: number;
  readonly rru: number;
  /** Requests of SQS: one for each started 64 KB. */
  readonly sqs: number;
  readonly s3Put: number;
  readonly s3Get: number;
}

/** A group of calls with the same actor, operation and target. */
export interface Line extends Figures {
  readonly kind: Kind;
  readonly actor: string;
  readonly operation: string;
  readonly target: string;
}

export const figureNames = ['calls', 'wru', 'rru', 'sqs', 's3Put', 's3Get'] as const;
export type FigureName = (typeof figureNames)[number];

export const noFigures: Figures = { calls: 0, wru: 0, rru: 0, sqs: 0, s3Put: 0, s3Get: 0 };

const eachFigure = (value: (name: FigureName) => number): Figures => {
  const entries = figureNames.map((name) => [name, value(name)]);
  return Object.fromEntries(entries) as Record<FigureName, number>;
};

export const plus = (a: Figures, b: Figures): Figures => eachFigure((name) => a[name] + b[name]);
export const sumOf = (all: readonly Figures[]): Figures => all.reduce(plus, noFigures);

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
