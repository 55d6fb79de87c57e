/** Determines whether scenarios have grown. */
import { type FigureName, type Figures, figureNames } from '../../../../bin/job-calls/figures.ts';
import type { Measurement } from '../../../../bin/job-calls/record.ts';
import type { Scenario } from './scenarios.ts';

/** The smallest increase that counts as growth. */
const GROWTH: Figures = { calls: 1, wru: 0.1, rru: 0.5, sqs: 1, s3Put: 1, s3Get: 1 };
/** Tolerance for the rounding errors of sums of decimal fractions. */
const EXACTNESS = 1e-9;

const WORDS: Readonly<Record<FigureName, string>> = {
  calls: 'calls',
  wru: 'WRU',
  rru: 'RRU',
  sqs: 'SQS requests',
  s3Put: 'S3 PUT',
  s3Get: 'S3 GET',
};

/**
 * Maximum number of calls and WRU of a ledger invocation for one job, which writes counters and may store a deadline.
 */
const INVOCATION = { calls: 2, wru: 2 };

type Measured = Pick<Measurement, 'own' | 'shared' | 'ledgerInvocations'>;
type Compared = Pick<Scenario, 'name' | 'ownSlack' | 'slack'>;

function grown(before: Figures, now: Figures, slack: Partial<Figures>): FigureName[] {
  return figureNames.filter((name) => {
    const more = now[name] - before[name];
    return more >= GROWTH[name] - EXACTNESS && more > (slack[name] ?? 0) + EXACTNESS;
  });
}

/**
 * Returns the slack of the shared figures. On a busy machine, the changes of a job reach the ledger at longer
 * intervals, so more invocations record them. An invocation that writes more than before is still growth.
 */
function sharedSlack(slack: Partial<Figures>, before: Measured, now: Measured): Partial<Figures> {
  const further = Math.max(0, now.ledgerInvocations - before.ledgerInvocations);
  const { calls = 0, wru = 0 } = slack;
  return { ...slack, calls: calls + further * INVOCATION.calls, wru: wru + further * INVOCATION.wru };
}

/** @returns a sentence for each figure that has grown */
export function growthOf(
  { name, ownSlack = {}, slack = {} }: Compared,
  before: Measured | undefined,
  now: Measured,
): string[] {
  if (!before) return [`${name} is not recorded: run \`npm run bench -w packages/lab -- calls --record\`.`];
  const sentence = (kind: 'own' | 'shared') => (figure: FigureName) =>
    `${name} has grown: ${before[kind][figure]} ${WORDS[figure]} before, ${now[kind][figure]} now (${kind} calls).`;
  return [
    ...grown(before.own, now.own, ownSlack).map(sentence('own')),
    ...grown(before.shared, now.shared, sharedSlack(slack, before, now)).map(sentence('shared')),
  ];
}

/** @returns a line for each kind of call whose number has changed */
export function changedLines(before: Measurement, now: Measurement): string[] {
  const keyOf = ({ kind, actor, operation, target }: Measurement['lines'][number]) =>
    `${kind}: ${operation} of ${target} by ${actor}`;
  const counts = ({ lines }: Measurement) => new Map(lines.map((line) => [keyOf(line), line.calls]));
  const [then, since] = [counts(before), counts(now)];
  return [...new Set([...then.keys(), ...since.keys()])].flatMap((key) => {
    const [a, b] = [then.get(key) ?? 0, since.get(key) ?? 0];
    return a === b ? [] : [`  ${key}: ${a} before, ${b} now`];
  });
}

/** @returns a sentence for each recorded scenario that no longer exists */
export function vanished(recorded: readonly string[], scenarios: readonly string[]): string[] {
  return recorded
    .filter((name) => !scenarios.includes(name))
    .map(
      (name) => `${name} is recorded, but is not a scenario: run \`npm run bench -w packages/lab -- calls --record\`.`,
    );
}

/** Returns whether the own figures have decreased by at least `GROWTH` and by more than `ownSlack`. */
export const hasShrunk = ({ ownSlack = {} }: Compared, before: Measured, now: Measured): boolean =>
  grown(now.own, before.own, ownSlack).length > 0;
