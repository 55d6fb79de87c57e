/** Describes the steps that lead to a state. */

import { start, step } from './next-steps.ts';
import type { Graph } from './paths.ts';
import type { Setting } from './setting.ts';
import { jobName, type State } from './state.ts';

function shown({ jobs, messages }: State): string {
  const stored = jobs.flatMap(({ stored }, job) =>
    stored ? [`${jobName(job)} ${stored.status}#${stored.attempt}`] : [],
  );
  return `[${[...stored, `${messages.length} messages`].join(', ')}]`;
}

/** @param last number of the step that broke an invariant, if a step broke it */
export function traceOf(setting: Setting, graph: Graph, state: number, last?: number): readonly string[] {
  const ordinals = last === undefined ? [] : [last];
  for (let origin = graph.originOf(state); origin; origin = graph.originOf(origin.from))
    ordinals.unshift(origin.ordinal);
  let present = start(setting);
  return ordinals.map((ordinal, index) => {
    const taken = step(setting, present, ordinal);
    present = taken.state;
    return `${index + 1}. ${taken.label}  ${shown(present)}`;
  });
}
