/** Faults of calls to AWS, and the plan that assigns faults to calls. */

export const faultKinds = [
  /** The call is refused for now and not executed. The SDK retries it. */
  'throttle',
  /** The call is not executed and gets no answer. */
  'timeout',
  /** The call is executed and gets no answer. The SDK retries a call that was already executed. */
  'executed-timeout',
  /** The call is executed late, while other calls run and the clock moves. */
  'delay',
  /** The process dies before or after the call is executed. */
  'crash-before',
  'crash-after',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  /**
   * Call site: operation and port method, such as `run: jobQueues.send`.
   * @default - any site
   */
  readonly site?: string;
  /** Number of the call at the site, or among all calls without a site, starting at 1. */
  readonly nth: number;
  readonly kind: FaultKind;
  /** Number of the SDK's attempts that fail. The SDK gives up after 3. */
  readonly tries: number;
}

/** A fault that occurred, with its call site and the number of the operation. */
export interface Struck extends Fault {
  readonly site: string;
  readonly operation: number;
}

export interface FaultPlan {
  /** Returns the fault of this call at the site, if there is one. */
  draw(site: string, operation: number): Fault | undefined;
  /** Records that a call ended and its fault did not occur. */
  miss(fault: Fault, site: string): void;
  /** Stops all faults. */
  end(): void;
  /** Faults that occurred. */
  readonly struck: readonly Struck[];
  /** Descriptions of faults that a call had and that did not occur, which are defects of this test. */
  readonly missed: readonly string[];
  /** All sites that were called. */
  readonly sites: ReadonlySet<string>;
}

export function createFaultPlan(faults: readonly Fault[]): FaultPlan {
  const calls = new Map<string, number>();
  const sites = new Set<string>();
  const struck: Struck[] = [];
  const missed: string[] = [];
  let isOver = false;
  let all = 0;
  return {
    struck,
    missed,
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
    miss({ kind }, site) {
      missed.push(`The fault ${kind} did not strike at ${site}: no attempt of the call passed the middleware.`);
    },
    end() {
      isOver = true;
    },
  };
}

const awsError = (name: string, httpStatusCode: number) =>
  Object.assign(new Error(`${name}: a fault of this test`), { name, $fault: 'client', $metadata: { httpStatusCode } });

/** Returns an error as the SDK would report it. */
export const throttled = () => awsError('ThrottlingException', 400);
export const timedOut = () => awsError('TimeoutError', 0);
