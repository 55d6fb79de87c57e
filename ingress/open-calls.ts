/** Counts the open calls. The service scales by the average count of its tasks. */
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { OPEN_CALLS_METRIC, OPEN_CALLS_PERIOD } from '../core/http/ingress.ts';

export interface OpenCalls {
  count(): number;
  /** Counts a call as open until `end` is called for it. */
  begin(): void;
  end(): void;
  stop(): void;
}

/** Publishes the largest count of each period in the log, from which CloudWatch reads the metric. */
export function countOpenCalls(): OpenCalls {
  const metrics = new Metrics();
  let open = 0;
  let peak = 0;
  const publish = setInterval(() => {
    metrics.addMetric(OPEN_CALLS_METRIC, MetricUnit.Count, peak);
    metrics.publishStoredMetrics();
    peak = open;
  }, OPEN_CALLS_PERIOD);
  publish.unref();
  return {
    count: () => open,
    begin() {
      open += 1;
      peak = Math.max(peak, open);
    },
    end() {
      open -= 1;
    },
    stop: () => clearInterval(publish),
  };
}
