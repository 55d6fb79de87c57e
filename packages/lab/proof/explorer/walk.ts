/** Visits every reachable state breadth first, so the first trace to a broken invariant is as short as possible. */
import type { Job } from '../../../../core/jobs/job.ts';
import type { TransitionName } from '../../../../core/jobs/transitions.ts';
import { keyOf } from './key.ts';
import { type Broken, brokenIn, type Evaluations, isOver, observed } from './monitor.ts';
import { stepsOf } from './next-steps.ts';
import { createGraph, type Graph } from './paths.ts';
import type { Setting } from './setting.ts';
import { initialState, type State, TICK } from './state.ts';
import { traceOf } from './trace.ts';

export interface Violation extends Broken {
  /** Description of each step. */
  readonly trace: readonly string[];
}

export interface Walk {
  readonly states: number;
  readonly transitions: number;
  /** Maximum number of steps in the shortest path to a state. */
  readonly depth: number;
  /** Number of times that each row of the table was applied. */
  readonly rows: Readonly<Partial<Record<TransitionName, number>>>;
  /** Number of checks of invariants. */
  readonly evaluations: number;
  readonly milliseconds: number;
  /**
   * Whether the walk visited every state within the bounds. It is false after a violation, or at the limit of
   * states.
   */
  readonly complete: boolean;
  readonly violation?: Violation | undefined;
}

/**
 * Returns the facts for the search in the graph: whether all jobs have ended, and which jobs must be able to
 * start.
 */
function factsOf(state: State): { readonly over: boolean; readonly waiting: readonly number[] } {
  const views = state.jobs.map(({ stored }) => stored && observed(stored, state.generation, state));
  // A job must have more time left than a message can be hidden. Otherwise it might end before a worker starts it.
  const isFarAhead = (job: Job | undefined) => job?.status === 'IN_QUEUE' && job.queueDeadline - state.now >= 2 * TICK;
  const waiting = state.jobs.flatMap(({ acknowledged }, job) => (acknowledged && isFarAhead(views[job]) ? [job] : []));
  return { over: views.every((view) => view === undefined || isOver(view)), waiting };
}

export function explore(setting: Setting): Walk {
  const begun = performance.now();
  const rows: Partial<Record<TransitionName, number>> = {};
  const evaluations: Evaluations = { count: 0 };
  const known = new Map<string, number>();
  const graph = createGraph(setting.bounds.jobs);
  let [transitions, depth] = [0, 0];

  const ended = (complete: boolean, violation?: Violation): Walk => ({
    states: known.size,
    transitions,
    depth,
    rows,
    evaluations: evaluations.count,
    milliseconds: Math.round(performance.now() - begun),
    complete,
    violation,
  });
  const violated = (graph: Graph, broken: Broken, state: number, last?: number) =>
    ended(false, { ...broken, trace: traceOf(setting, graph, state, last) });

  const initial = initialState(setting.bounds);
  known.set(keyOf(initial), graph.add(factsOf(initial)));
  let frontier: State[] = [initial];
  let first = 0;
  while (frontier.length > 0) {
    const next: State[] = [];
    for (const [offset, state] of frontier.entries()) {
      const from = first + offset;
      for (const [ordinal, step] of stepsOf(setting, state).entries()) {
        transitions += 1;
        if (step.row) rows[step.row] = (rows[step.row] ?? 0) + 1;
        if (step.broken) return violated(graph, step.broken, from, ordinal);
        const key = keyOf(step.state);
        let to = known.get(key);
        if (to === undefined) {
          to = graph.add(factsOf(step.state), { from, ordinal });
          known.set(key, to);
          next.push(step.state);
          const broken = brokenIn(step.state, setting.protocol.readsStrongly, evaluations);
          if (broken) return violated(graph, broken, to);
        }
        graph.connect(from, to, step);
      }
    }
    first += frontier.length;
    frontier = next;
    if (next.length > 0) depth += 1;
    if (known.size > setting.bounds.states) return ended(false);
  }

  const stuck = graph.stuck();
  evaluations.count += known.size;
  return stuck ? violated(graph, stuck.broken, stuck.state) : ended(true);
}
