/** Queries of CloudWatch Logs Insights that are saved in the account, for the questions of the runbook. */
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { endpointMetrics, isPublished, type MetricName } from '../../core/sweeper/measure.ts';
import { FAILURE_METRIC } from '../../core/webhooks/delivery.ts';
import type { RunbookEntry } from '../constructs/runbook.ts';
import { endpointMetricsOf } from '../endpoints/metrics-setting.ts';
import { deploymentOf } from '../settings/settings.ts';

interface SavedQuery {
  /** Name of the query after that of the deployment. */
  readonly name: string;
  readonly steps: readonly string[];
  /** A metric that the query reads. */
  readonly metric?: MetricName;
}

/** Returns the lines with one of the messages, newest first. */
const linesOf = (messages: readonly string[], fields: readonly string[]) => [
  `filter message in [${messages.map((message) => `"${message}"`).join(', ')}]`,
  `fields ${['@timestamp', 'message', ...fields].join(', ')}`,
  'sort @timestamp desc',
  'limit 200',
];

/** Returns a query of values of metrics of endpoints over time, from the lines that contain them. */
const metricsBy = (
  name: string,
  statistic: 'max' | 'sum',
  metrics: readonly [MetricName, ...MetricName[]],
): SavedQuery => {
  const fields = metrics.map((metric) => `\`${endpointMetrics[metric].name}\``);
  const values = fields.map((field) => `${statistic}(${field})`).join(', ');
  return {
    name,
    steps: [`filter ispresent(${fields[0]})`, `stats ${values} by endpoint, bin(15m)`],
    metric: metrics[0],
  };
};

export const savedQueries: Readonly<Partial<Record<RunbookEntry, SavedQuery>>> = {
  api: {
    name: 'failed-requests',
    steps: linesOf(['The request failed.'], ['requestId', 'jobId', 'error.name', 'error.message']),
  },
  jobsFail: metricsBy('failed-jobs', 'sum', ['failed', 'ended']),
  jobsWait: metricsBy('waiting-jobs', 'max', ['oldestSeconds', 'waiting']),
  launches: {
    name: 'failed-launches',
    steps: linesOf(
      ['Instances of a group could not be launched or ended.', 'No instance could be launched for waiting tasks.'],
      ['group', 'endpoints', 'error.message'],
    ),
  },
  ledger: { name: 'ledger', steps: linesOf(['Not recorded.'], ['endpoint', 'error.name', 'error.message']) },
  noWorker: metricsBy('missing-workers', 'max', ['missing']),
  setAside: {
    name: 'set-aside',
    steps: ['filter message = "Set aside."', 'stats sum(count) by table, partition, reason'],
  },
  sweeper: {
    name: 'sweeper',
    steps: linesOf(['Not swept.', 'Not summed.'], ['endpoint', 'error.name', 'error.message']),
  },
  webhooks: {
    name: 'failed-webhooks',
    steps: [
      `filter ispresent(${FAILURE_METRIC}) and ispresent(endpoint)`,
      `stats sum(${FAILURE_METRIC}), count(*) by endpoint, bin(15m)`,
    ],
  },
};

export class SavedQueries extends Construct {
  /** @param logGroupNames log groups of the functions */
  constructor(scope: Construct, id: string, logGroupNames: string[]) {
    super(scope, id);
    for (const { name, steps, metric } of Object.values(savedQueries)) {
      if (metric && !isPublished(metric, endpointMetricsOf(this))) continue;
      new CfnQueryDefinition(this, name, {
        name: `${deploymentOf(this)}/${name}`,
        queryString: steps.join('\n| '),
        logGroupNames,
      });
    }
  }
}
