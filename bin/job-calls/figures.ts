/** Counted calls of jobs, and sums of them. */

/**
 * `own`: the call is for a measured job. `shared`: the call was made because of the job, but can serve many jobs.
 * `standing`: the call would have been made without the job. `other`: the call is for a job that is not measured.
 */
export type Kind = 'own' | 'shared' | 'standing' | 'other';

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

/** Returns the figures that `value` returns for each name. */
export const eachFigure = (value: (name: FigureName) => number): Figures => {
  const entries = figureNames.map((name) => [name, value(name)]);
  return Object.fromEntries(entries) as Record<FigureName, number>;
};

const plus = (a: Figures, b: Figures): Figures => eachFigure((name) => a[name] + b[name]);
export const sumOf = (all: readonly Figures[]): Figures => all.reduce(plus, noFigures);
