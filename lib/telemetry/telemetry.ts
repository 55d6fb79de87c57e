/** Lets functions send traces and metrics, if the setting `otlp` names a receiver. */
import { Aws } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { ServiceFunction } from '../constructs/function.ts';
import { explain } from '../constructs/reasons.ts';
import { grantSecrets } from '../constructs/secret-grants.ts';
import type { WorkersTable } from '../endpoints/tables.ts';
import type { HistoryTable } from '../history/table.ts';
import { type Otlp, otlpOf } from './otlp-setting.ts';

/** Days for which calls of webhooks are kept; their spans are made within minutes. */
const DELIVERY_DAYS = '1';

const laptop = 'A laptop has no CloudWatch and no secret of a receiver.';

function grantCloudWatch(sweep: ServiceFunction): void {
  const { REGION, URL_SUFFIX } = Aws;
  sweep.addEnvironment('OTLP_TRACES_URL', `https://xray.${REGION}.${URL_SUFFIX}/v1/traces`);
  sweep.addEnvironment('OTLP_METRICS_URL', `https://monitoring.${REGION}.${URL_SUFFIX}/v1/metrics`);
  sweep.addEnvironment('OTLP_SIGNED', 'true');
  const actions = ['xray:PutTraceSegments', 'cloudwatch:PutMetricData'];
  Grant.addToPrincipal({ grantee: sweep, actions, resourceArns: ['*'] }).assertSuccess();
  explain(sweep, 'xray', ['PutTraceSegments'], '*', { reason: 'Sends the spans of jobs.', unused: laptop });
  explain(sweep, 'cloudwatch', ['PutMetricData'], '*', { reason: 'Sends the metrics of endpoints.', unused: laptop });
}

function grantHeaders(sweep: ServiceFunction, secret: string): void {
  sweep.addEnvironment('OTLP_HEADERS_SECRET', secret);
  const secrets = {
    // Secrets Manager adds six characters to the name.
    names: `${secret}-??????`,
    shownAs: 'secret of `otlp.headersSecret`',
    unknown: 'Secrets Manager chooses the end of the name',
  };
  const reason = 'Reads the headers of requests to the receiver of telemetry.';
  grantSecrets(sweep, ['GetSecretValue'], secrets, { reason, unused: laptop });
}

function letCall(sweep: ServiceFunction, { url, headersSecret }: Exclude<Otlp, string>): void {
  const base = url.endsWith('/') ? url.slice(0, -1) : url;
  sweep.addEnvironment('OTLP_TRACES_URL', `${base}/v1/traces`);
  sweep.addEnvironment('OTLP_METRICS_URL', `${base}/v1/metrics`);
  if (headersSecret !== undefined) grantHeaders(sweep, headersSecret);
}

/** Lets the sweeper make spans and metrics and send them, with the permissions that the receiver needs. */
export function letSendTelemetry(
  sweep: ServiceFunction,
  { workers, history }: { readonly workers: WorkersTable; readonly history: HistoryTable },
): void {
  const otlp = otlpOf(sweep);
  if (otlp === undefined) return;
  sweep.addEnvironment('DELIVERY_HISTORY_DAYS', DELIVERY_DAYS);
  workers.grantReadStarts(sweep, 'Reads the start of a worker, for the spans of its stages.');
  history.grantReadTotals(sweep, 'Reads the totals of endpoints, for their metrics.');
  if (otlp === 'cloudwatch') grantCloudWatch(sweep);
  else letCall(sweep, otlp);
}

/** Lets the function that calls webhooks keep each call for its span. */
export function letKeepDeliveries(deliver: ServiceFunction, history: HistoryTable): void {
  if (otlpOf(deliver) === undefined) return;
  history.grantAdd(deliver, 'Stores each call of a webhook, for its span.');
  deliver.addEnvironment('DELIVERY_HISTORY_DAYS', DELIVERY_DAYS);
}
