/** The metrics of functions in `AWS/Lambda`, once for each function and once for all. */
import type { Metrics } from './metrics.ts';

export interface FunctionMetrics {
  /**
   * Counts an execution that begins.
   * @returns function that counts its end
   */
  begin(arn: string): (succeeded: boolean) => void;
  /** Counts a call that is refused. */
  throttle(arn: string): void;
}

const NAMESPACE = 'AWS/Lambda';

export const functionDimension = (arn: string) => ({ FunctionName: arn.split(':').at(-1) ?? '' });

/** @param now milliseconds */
export function createFunctionMetrics(
  metrics: Pick<Metrics, 'put'>,
  now = performance.now.bind(performance),
): FunctionMetrics {
  /** Numbers of running executions by ARN. */
  const running = new Map<string, number>();
  let all = 0;

  function change(arn: string, by: 1 | -1): number {
    const count = (running.get(arn) ?? 0) + by;
    running.set(arn, count);
    all += by;
    return count;
  }

  return {
    begin(arn) {
      const begunAt = now();
      const counted = { Invocations: 1, Throttles: 0 };
      metrics.put(NAMESPACE, functionDimension(arn), { ...counted, ConcurrentExecutions: change(arn, 1) });
      metrics.put(NAMESPACE, {}, { ...counted, ConcurrentExecutions: all });
      return (succeeded) => {
        change(arn, -1);
        const ended = { Errors: succeeded ? 0 : 1, Duration: now() - begunAt };
        for (const dimensions of [functionDimension(arn), {}]) metrics.put(NAMESPACE, dimensions, ended);
      };
    },
    throttle(arn) {
      for (const dimensions of [functionDimension(arn), {}]) metrics.put(NAMESPACE, dimensions, { Throttles: 1 });
    },
  };
}
