/**
 * Applies the transition table to a job in memory. `aws/conditional-write.ts` compiles the same rows to conditional
 * writes.
 */
import { type Job, jobSchema, type PayloadRef, type QueuedJob } from './job.ts';
import {
  type Expression,
  type Fact,
  type FactsOf,
  type Guard,
  isFact,
  type Term,
  type Transition,
  type TransitionName,
  transitions,
} from './transitions.ts';

type Value = string | number | boolean | PayloadRef | undefined;
type Facts = { readonly [fact in Fact]?: Value };

/** A transition table. The proof in `packages/lab/proof/` passes copies of the real table that lack a guard. */
export type Table = { readonly [name in TransitionName]: Transition };

function resolve(term: Term, job: Job | undefined, facts: Facts): Value {
  if (typeof term === 'object') return term.value;
  if (!isFact(term)) return (job as { readonly [field in typeof term]?: Value } | undefined)?.[term];
  if (!(term in facts)) throw new Error(`The fact ${term} is missing.`);
  return facts[term];
}

function evaluate(expression: Expression, job: Job, facts: Facts): Value {
  if (typeof expression !== 'object' || 'value' in expression) return resolve(expression, job, facts);
  const [left, right] = expression.sum.map((term) => resolve(term, job, facts));
  return Number(left) + Number(right);
}

function holds([left, is, right]: Guard, job: Job | undefined, facts: Facts): boolean {
  const [a, b] = [resolve(left, job, facts), resolve(right, job, facts)];
  // As in DynamoDB, a comparison with a missing field is false.
  if (a === undefined || b === undefined) return false;
  switch (is) {
    case '=':
      return a === b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}

const isAboutTheJob = ([left, , right]: Guard) =>
  [left, right].some((term) => typeof term === 'string' && !isFact(term));

/** Returns the guards of a row that depend on the stored job. All other guards depend only on the facts. */
export const guardsOnJob = (row: Transition): readonly Guard[] => row.when.filter(isAboutTheJob);

/** Returns whether all guards that compare two facts hold, such as the end of a lease with the current time. */
export function permitsByFacts<Name extends TransitionName>(name: Name, facts: FactsOf<Name>): boolean {
  const row: Transition = transitions[name];
  return row.when.every((guard) => isAboutTheJob(guard) || holds(guard, undefined, facts as Facts));
}

/** Returns whether the table permits the transition of the job with these facts. */
export function permits<Name extends TransitionName>(
  name: Name,
  job: Job,
  facts: FactsOf<Name>,
  table: Table = transitions,
): boolean {
  const { from, when } = table[name];
  return from.includes(job.status) && when.every((guard) => holds(guard, job, facts as Facts));
}

/**
 * Returns the job after the transition.
 * @throws if the table does not permit the transition; callers call `permits` first
 */
export function apply<Name extends TransitionName>(
  name: Name,
  job: Job,
  facts: FactsOf<Name>,
  table: Table = transitions,
): Job {
  if (!permits(name, job, facts, table)) throw new Error(`Job ${job.id} is ${job.status}: ${name} is not permitted.`);
  const { to, set, remove } = table[name];
  const next: Record<string, unknown> = { ...job, status: to ?? job.status };
  for (const [field, expression] of Object.entries(set)) next[field] = evaluate(expression, job, facts as Facts);
  for (const field of remove) delete next[field];
  return jobSchema.parse(next);
}

/** Initial status of every job. */
export const entry = { status: 'IN_QUEUE' } as const;

/** Returns the submitted job with its initial status. */
export function accept(submission: Omit<QueuedJob, 'status'>): QueuedJob {
  return { ...submission, ...entry };
}
