/** The setting `endpointMetrics`: which metrics of endpoints the sweeper publishes to CloudWatch. */
import { type MetricChoice, metricChoices } from '../../core/sweeper/measure.ts';
import { choiceSetting } from '../settings/choice.ts';

export const endpointMetricsSetting = choiceSetting<MetricChoice>('endpointMetrics', {
  description:
    'Metrics of endpoints in CloudWatch: none, the few that alarms need, or all. Without them, endpoints have no alarms on waiting or failing jobs, missing workers, releases and budgets.',
  choices: metricChoices,
  usual: 'few',
  guide: 'metrics',
});

export const endpointMetricsOf = endpointMetricsSetting.read;
