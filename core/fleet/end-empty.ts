import type { Instance, LaunchPorts, Pool, PoolState } from './pool.ts';

type Marks = PoolState['marks'];

/**
 * Ends instances that have had no task for the pool's `emptyFor`.
 *
 * Input: the pool, its instances, and the ids of instances that waiting tasks need. Output: ids of the ended instances.
 * Each step is stored before it is taken, on the condition that no other call has stored a step, so that no two calls
 * disagree about an instance, and a later call continues after a failure.
 *  1. Store since when instances have no tasks, and mark those whose time has passed.
 *  2. Set the marked instances to DRAINING, so that they get no more tasks, and look at them again.
 *  3. Return an instance that has got a task in the meantime. Mark the other instances as ending.
 *  4. End these instances. An instance whose end was requested is never returned, because the request might have been
 *     successful although its response was lost. The next call repeats such a request.
 */
export async function endEmpty(
  { clock, groups, poolStates }: Pick<LaunchPorts, 'clock' | 'groups' | 'poolStates'>,
  { group, cluster, emptyFor }: Pick<Pool, 'group' | 'cluster' | 'emptyFor'>,
  before: PoolState,
  instances: readonly Instance[],
  needed: ReadonlySet<string>,
): Promise<string[]> {
  let state = before;
  const save = async (changes: Pick<PoolState, 'marks'> & Partial<PoolState>): Promise<boolean> => {
    const next = { ...state, ...changes };
    if (isSame(next, state)) return true;
    if (!(await poolStates.save(group, next))) return false;
    state = { ...next, version: state.version + 1 };
    return true;
  };
  const marked = (mark: Marks[string]) => instances.filter(({ id }) => state.marks[id] === mark);

  const empty = emptySince(state, instances, needed, clock.now());
  const due = instances.filter(
    ({ id, status }) => status === 'ACTIVE' && clock.now() - (empty[id] ?? Number.POSITIVE_INFINITY) >= emptyFor,
  );
  const marks = { ...keptMarks(state.marks, instances), ...marksOf(due, 'DRAINING') };
  if (!(await save({ empty, marks }))) return [];

  const draining = marked('DRAINING').map(({ arn }) => arn);
  for (const arn of draining) await groups.drain(cluster, arn);
  const seen = draining.length > 0 ? await groups.describe(cluster, draining) : [];
  const isEmpty = ({ status, tasks }: Instance) => status === 'DRAINING' && tasks === 0;
  const ending = marksOf(seen.filter(isEmpty), 'ENDING');
  const returning = marksOf(
    seen.filter((instance) => !isEmpty(instance)),
    'RETURNING',
  );
  if (!(await save({ marks: { ...state.marks, ...ending, ...returning } }))) return [];

  for (const { arn } of marked('RETURNING')) await groups.activate(cluster, arn);
  const ends = marked('ENDING');
  for (const { id } of ends) await groups.end(id);
  await save({ marks: { ...state.marks, ...marksOf(ends, 'ENDED') } });
  return ends.map(({ id }) => id);
}

const isSame = (one: PoolState, other: PoolState) => JSON.stringify(one) === JSON.stringify(other);

const marksOf = (instances: readonly Instance[], mark: Marks[string]): Marks =>
  Object.fromEntries(instances.map(({ id }) => [id, mark]));

/** Returns since when instances have no tasks. Instances that waiting tasks need are not empty. */
function emptySince(
  { empty }: PoolState,
  instances: readonly Instance[],
  needed: ReadonlySet<string>,
  now: number,
): PoolState['empty'] {
  const without = instances.filter(({ id, tasks }) => tasks === 0 && !needed.has(id));
  return Object.fromEntries(without.map(({ id }) => [id, empty[id] ?? now]));
}

/**
 * Returns the marks that still apply. An ACTIVE instance is not marked: it was returned, or it was marked but never
 * drained.
 */
const keptMarks = (marks: Marks, instances: readonly Instance[]): Marks =>
  Object.fromEntries(
    instances.flatMap(({ id, status }) => {
      const mark = marks[id];
      return mark === undefined || status === 'ACTIVE' ? [] : [[id, mark]];
    }),
  );
