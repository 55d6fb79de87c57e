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
import type { Construct, IConstruct } from 'constructs';
import { RUNBOOK } from '../../core/management/list-alarms.ts';
import { endpointMetrics, METRIC_DIMENSION } from '../../core/sweeper/measure.ts';
import type { EndpointMetrics } from '../endpoints/metrics.ts';
import { allowedBy, type Setting } from '../settings/field-text.ts';
import { deploymentOf, functionMetrics, InvalidSetting } from '../settings/settings.ts';

const SETTING = 'dashboards';
const choices = ['none', 'deployment', 'all'] as const;
type Dashboards = (typeof choices)[number];

const must = `must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;

/**
 * Returns which dashboards the stacks have.
 * @throws InvalidSetting
 */
export function dashboardsOf(scope: IConstruct): Dashboards {
  const value: unknown = scope.node.tryGetContext(SETTING) || 'none';
  const known = choices.find((choice) => choice === value);
  if (known) return known;
  throw new InvalidSetting(`The context \`${SETTING}\` ${must}, got ${JSON.stringify(value)}.`);
}

export const dashboardsSetting: Setting = {
  read: dashboardsOf,
  text: {
    description:
      'Dashboards in CloudWatch: none, one for the deployment, or also one for each endpoint. AWS charges $3 a month for each after the first three of an account.',
    type: 'string',
    default: 'none',
    allowed: allowedBy(must),
    guide: 'dashboards',
  },
};

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
  // A search finds all endpoints, so the dashboard does not change when an endpoint is added.
  const ofEndpoints = (title: string, name: keyof typeof endpointMetrics, statistic: string) =>
    graph(title, [
      new MathExpression({
        expression: `SEARCH('{${namespace},${METRIC_DIMENSION},service} MetricName="${endpointMetrics[name].name}"', '${statistic}', 300)`,
        label: `\${PROP('Dim.${METRIC_DIMENSION}')}`,
        usingMetrics: {},
        period: Duration.minutes(5),
      }),
    ]);
  addDashboard(Stack.of(scope), deploymentOf(scope), [
    ofEndpoints('Waiting jobs', 'waiting', 'Maximum'),
    ofEndpoints('Seconds that the oldest job has waited', 'oldestSeconds', 'Maximum'),
    ofEndpoints('Ended jobs', 'ended', 'Sum'),
    ofEndpoints('Failed jobs', 'failed', 'Sum'),
    ofEndpoints('Missing workers', 'missing', 'Maximum'),
  ]);
}

/** Adds the dashboard of an endpoint to its stack. */
export function addEndpointDashboard(scope: Construct, metrics: EndpointMetrics): void {
  if (dashboardsOf(scope) !== 'all') return;
  addDashboard(Stack.of(scope), `${deploymentOf(scope)}-${metrics.id}`, [
    graph('Waiting jobs', [metrics.metricQueueDepth()]),
    graph('Ended and failed jobs', [metrics.metricJobsEnded(), metrics.metricJobsFailed()]),
  ]);
}
