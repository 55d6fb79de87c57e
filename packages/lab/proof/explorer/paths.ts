/** The graph of all reached states. Finds states from which a job can never end or start. */
import type { Broken } from './monitor.ts';
import type { Step } from './step.ts';

interface Facts {
  readonly over: boolean;
  readonly waiting: readonly number[];
}
interface Origin {
  readonly from: number;
  /** Number of the parent's step that reached this state first. */
  readonly ordinal: number;
}

export interface Graph {
  add(facts: Facts, origin?: Origin): number;
  connect(from: number, to: number, step: Step): void;
  originOf(state: number): Origin | undefined;
  /**
   * Returns the first state from which a job cannot end, or in which a waiting job can never start, if there is
   * one.
   */
  stuck(): { readonly state: number; readonly broken: Broken } | undefined;
}

/** Creates a growing list of numbers. Garbage collection of a million plain numbers would take too long. */
function createColumn() {
  let numbers = new Int32Array(1_024);
  let length = 0;
  return {
    push(value: number): void {
      if (length === numbers.length) {
        const larger = new Int32Array(2 * length);
        larger.set(numbers);
        numbers = larger;
      }
      numbers[length] = value;
      length += 1;
    },
    at: (index: number) => numbers[index] ?? 0,
    get length() {
      return length;
    },
  };
}

const OVER = 1;
const waits = (job: number) => 2 << job;
const BY_CLIENT = 1;
const starts = (job: number) => 2 << job;

export function createGraph(jobs: number): Graph {
  const [facts, parents, ordinals] = [createColumn(), createColumn(), createColumn()];
  const [froms, tos, kinds] = [createColumn(), createColumn(), createColumn()];

  /** Returns the states from which `usable` steps lead to a marked state. */
  function reaching(marked: (state: number) => boolean, usable: (kind: number) => boolean): Uint8Array {
    const begins = new Int32Array(facts.length + 1);
    for (let edge = 0; edge < tos.length; edge += 1) begins[tos.at(edge) + 1] = (begins[tos.at(edge) + 1] ?? 0) + 1;
    for (let state = 0; state < facts.length; state += 1)
      begins[state + 1] = (begins[state + 1] ?? 0) + (begins[state] ?? 0);
    const filled = begins.slice();
    const incoming = new Int32Array(tos.length);
    for (let edge = 0; edge < tos.length; edge += 1) {
      const to = tos.at(edge);
      incoming[filled[to] ?? 0] = edge;
      filled[to] = (filled[to] ?? 0) + 1;
    }

    const reached = new Uint8Array(facts.length);
    const queue: number[] = [];
    const reach = (state: number) => {
      if (reached[state]) return;
      reached[state] = 1;
      queue.push(state);
    };
    for (let state = 0; state < facts.length; state += 1) if (marked(state)) reach(state);
    for (let state = queue.pop(); state !== undefined; state = queue.pop()) {
      for (let index = begins[state] ?? 0; index < (begins[state + 1] ?? 0); index += 1) {
        const edge = incoming[index] ?? 0;
        if (usable(kinds.at(edge))) reach(froms.at(edge));
      }
    }
    return reached;
  }

  function firstOutside(reached: Uint8Array, fact: number): number | undefined {
    for (let state = 0; state < facts.length; state += 1)
      if ((facts.at(state) & fact) === fact && !reached[state]) return state;
    return undefined;
  }

  return {
    add({ over, waiting }, origin) {
      facts.push(waiting.reduce((bits, job) => bits | waits(job), over ? OVER : 0));
      parents.push(origin?.from ?? -1);
      ordinals.push(origin?.ordinal ?? -1);
      return facts.length - 1;
    },

    connect(from, to, { byClient, starts: job }) {
      froms.push(from);
      tos.push(to);
      kinds.push((byClient ? BY_CLIENT : 0) | (job === undefined ? 0 : starts(job)));
    },

    originOf: (state) => (parents.at(state) < 0 ? undefined : { from: parents.at(state), ordinal: ordinals.at(state) }),

    stuck() {
      const ending = reaching(
        (state) => (facts.at(state) & OVER) !== 0,
        () => true,
      );
      const endless = firstOutside(ending, 0);
      if (endless !== undefined)
        return { state: endless, broken: { invariant: 'I30', because: 'some job can never end after this state' } };
      for (let job = 0; job < jobs; job += 1) {
        const begin = new Uint8Array(facts.length);
        for (let edge = 0; edge < froms.length; edge += 1) if (kinds.at(edge) & starts(job)) begin[froms.at(edge)] = 1;
        const starting = reaching(
          (state) => begin[state] === 1,
          (kind) => (kind & BY_CLIENT) === 0,
        );
        const left = firstOutside(starting, waits(job));
        if (left !== undefined)
          return {
            state: left,
            broken: { invariant: 'I9', because: 'a job waits, and no worker can start it' },
          };
      }
      return undefined;
    },
  };
}
