/** Dashboards of the alarms, and the setting `dashboards`. */
import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  type CfnAlarm,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { RUNBOOK } from '../../core/management/list-alarms.ts';
import { endpointMetrics, isPublished, METRIC_DIMENSION, type MetricName } from '../../core/sweeper/measure.ts';
import type { EndpointMetrics } from '../endpoints/metrics.ts';
import { endpointMetricsOf } from '../endpoints/metrics-setting.ts';
import { choiceSetting } from '../settings/choice.ts';
import { deploymentOf, functionMetrics } from '../settings/settings.ts';

export const dashboardsSetting = choiceSetting('dashboards', {
  description:
    'Dashboards in CloudWatch: none, one for the deployment, or also one for each endpoint. AWS charges $3 a month for each after the first three of an account.',
  choices: ['none', 'deployment', 'all'],
  usual: 'none',
  guide: 'dashboards',
});

export const dashboardsOf = dashboardsSetting.read;

const WIDTH = 8;
const IN_ROW = 24 / WIDTH;

const graph = (title: string, left: readonly IMetric[]) => new GraphWidget({ title, width: WIDTH, left: [...left] });

/** Returns a graph of the alarm's metric with its threshold. */
function graphOf(alarm: Alarm): GraphWidget {
  const { alarmDescription = '' } = alarm.node.defaultChild as CfnAlarm;
  const [title = ''] = alarmDescription.split(RUNBOOK);
  return new GraphWidget({ title, width: WIDTH, left: [alarm.metric], leftAnnotations: [alarm.toAnnotation()] });
}

function addDashboard(stack: Stack, dashboardName: string, graphs: readonly GraphWidget[]): void {
  const alarms = stack.node.findAll().filter((construct): construct is Alarm => construct instanceof Alarm);
  const all = [...graphs, ...alarms.map(graphOf)];
  const rows = Array.from({ length: Math.ceil(all.length / IN_ROW) }, (_, n) =>
    all.slice(n * IN_ROW, (n + 1) * IN_ROW),
  );
  const help = new TextWidget({
    markdown: 'The lines are the thresholds of alarms. `npx gpu-endpoints alarms ls` prints what to do about each.',
    width: 24,
    height: 1,
  });
  new Dashboard(stack, 'Dashboard', { dashboardName, defaultInterval: Duration.days(1), widgets: [[help], ...rows] });
}

/** Adds the dashboard of the deployment to a stack: a line for each endpoint, and the alarms of the stack. */
export function addDeploymentDashboard(scope: Construct): void {
  if (dashboardsOf(scope) === 'none') return;
  const namespace = functionMetrics(scope);
  const published = endpointMetricsOf(scope);
  // A search finds all endpoints, so the dashboard does not change when an endpoint is added.
  const ofEndpoints = (title: string, name: MetricName, statistic: string) =>
    isPublished(name, published)
      ? [
          graph(title, [
            new MathExpression({
              expression: `SEARCH('{${namespace},${METRIC_DIMENSION},service} MetricName="${endpointMetrics[name].name}"', '${statistic}', 300)`,
              label: `\${PROP('Dim.${METRIC_DIMENSION}')}`,
              usingMetrics: {},
              period: Duration.minutes(5),
            }),
          ]),
        ]
      : [];
  addDashboard(Stack.of(scope), deploymentOf(scope), [
    ...ofEndpoints('Waiting jobs', 'waiting', 'Maximum'),
    ...ofEndpoints('Seconds that the oldest job has waited', 'oldestSeconds', 'Maximum'),
    ...ofEndpoints('Running jobs', 'running', 'Maximum'),
    ...ofEndpoints('Ended jobs', 'ended', 'Sum'),
    ...ofEndpoints('Failed jobs', 'failed', 'Sum'),
    ...ofEndpoints('Workers', 'workers', 'Maximum'),
    ...ofEndpoints('Missing workers', 'missing', 'Maximum'),
  ]);
}

/** Adds the dashboard of an endpoint to its stack. */
export function addEndpointDashboard(scope: Construct, metrics: EndpointMetrics): void {
  if (dashboardsOf(scope) !== 'all') return;
  const has = (name: MetricName) => isPublished(name, endpointMetricsOf(scope));
  addDashboard(Stack.of(scope), `${deploymentOf(scope)}-${metrics.id}`, [
    ...(has('waiting') ? [graph('Waiting jobs', [metrics.metricQueueDepth()])] : []),
    ...(has('ended') ? [graph('Ended and failed jobs', [metrics.metricJobsEnded(), metrics.metricJobsFailed()])] : []),
    ...(has('workers')
      ? [graph('Running jobs and workers', [metrics.metricJobsRunning(), metrics.metricWorkers()])]
      : []),
  ]);
}
