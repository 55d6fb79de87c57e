/** The faults that a call to AWS can have, and the choice of the calls that get one. */

export const faultKinds = [
  /** Refused for now and not executed; the SDK retries. */
  'throttle',
  /** Not executed, without an answer. */
  'timeout',
  /** Executed without an answer: the SDK retries a call that has been executed. */
  'executed-timeout',
  /** Executed late, while other calls run and the clock moves. */
  'delay',
  /** The process dies before or after the call is executed. */
  'crash-before',
  'crash-after',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  /** Call site: operation and verb, such as `run: jobQueues.send`. @default - any */
  readonly site?: string;
  /** Number of the call at the site, or among all calls, from 1. */
  readonly nth: number;
  readonly kind: FaultKind;
  /** Number of attempts of the SDK that it strikes. After 3 the SDK gives up. */
  readonly tries: number;
}

/** A fault, the call site that it struck, and the number of the operation. */
export interface Struck extends Fault {
  readonly site: string;
  readonly operation: number;
}

export interface FaultPlan {
  /** Returns the fault that strikes this call of the site, if any. */
  draw(site: string, operation: number): Fault | undefined;
  /** Stops all faults. */
  end(): void;
  /** The faults that have struck. */
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

/** An error as the SDK would report it. */
export const throttled = () => awsError('ThrottlingException', 400);
export const timedOut = () => awsError('TimeoutError', 0);
