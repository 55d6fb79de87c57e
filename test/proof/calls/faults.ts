/** What can go wrong with a call to AWS, and which calls it goes wrong with. */

export const faultKinds = [
  /** Refused for now, not executed; the SDK tries again. */
  'throttle',
  /** Not executed, and no answer. */
  'timeout',
  /** Executed, and no answer: the SDK tries again what has been done. */
  'executed-timeout',
  /** Executed late, while other things go on and the clock moves. */
  'delay',
  /** The process dies before the call is executed, or after. */
  'crash-before',
  'crash-after',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  /** Call site: operation and verb, such as `run: jobQueues.send`; any, if there is none. */
  readonly site?: string;
  /** Which call of the site, or of all, from 1. */
  readonly nth: number;
  readonly kind: FaultKind;
  /** How many tries of the SDK it strikes; with 3 of them the SDK gives up. */
  readonly tries: number;
}

/** A fault, where it struck, and the number of the operation that it struck. */
export interface Struck extends Fault {
  readonly site: string;
  readonly operation: number;
}

export interface FaultPlan {
  /** The fault that strikes this call of the site, if any. */
  draw(site: string, operation: number): Fault | undefined;
  /** From now on nothing goes wrong. */
  end(): void;
  /** What has struck. */
  readonly struck: readonly Struck[];
  /** Every site that was called. */
  readonly sites: ReadonlySet<string>;
}

export function createFaultPlan(faults: readonly Fault[]): FaultPlan {
  const calls = new Map<string, number>();
  const sites = new Set<string>();
  const struck: Struck[] = [];
  let isOver = false;
  let all = 0;
  return {
    struck,
    sites,
    draw(site, operation) {
      const nth = (calls.get(site) ?? 0) + 1;
      calls.set(site, nth);
      sites.add(site);
      all += 1;
      const strikes = (fault: Fault) => fault.nth === (fault.site === undefined ? all : nth);
      const fault = faults.find((candidate) => (candidate.site ?? site) === site && strikes(candidate));
      if (!fault || isOver) return undefined;
      struck.push({ ...fault, site, operation });
      return fault;
    },
    end() {
      isOver = true;
    },
  };
}

const awsError = (name: string, httpStatusCode: number) =>
  Object.assign(new Error(`${name}: a fault of this test`), { name, $fault: 'client', $metadata: { httpStatusCode } });

/** As the SDK would see it. */
export const throttled = () => awsError('ThrottlingException', 400);
export const timedOut = () => awsError('TimeoutError', 0);
