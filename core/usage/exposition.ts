/** Writes metrics as text for Prometheus: in its own format, or in OpenMetrics. */
import {
  bucketLimits,
  type EndpointFacts,
  type MetricDefinition,
  type MetricPoint,
  metricDefinitions,
} from './metrics.ts';

export const expositions = {
  openMetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
} as const;
export type Exposition = keyof typeof expositions;

/** Returns the format for a header `Accept`: that of Prometheus if the client only accepts it. */
export const expositionFor = (accept = ''): Exposition =>
  /text\/plain/i.test(accept) && !/application\/openmetrics-text/i.test(accept) ? 'prometheus' : 'openMetrics';

const escaped = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

function line(name: string, labels: Readonly<Record<string, string>>, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}{${pairs.join(',')}} ${value}\n`;
}

/** Returns the name in Prometheus: dots become underscores, and the unit is the last word. */
const nameOf = ({ name, unit }: MetricDefinition) => [name.replaceAll('.', '_'), ...(unit ? [unit] : [])].join('_');

const suffixes = { counter: '_total', gauge: '', histogram: '', info: '_info' } as const;

/** Returns the name of the series of a metric. */
export const seriesNameOf = (definition: MetricDefinition): string => nameOf(definition) + suffixes[definition.kind];

function headerOf(definition: MetricDefinition, exposition: Exposition): string {
  const { kind, unit, description } = definition;
  const family = nameOf(definition);
  if (exposition === 'openMetrics') {
    const unitLine = unit ? `# UNIT ${family} ${unit}\n` : '';
    return `# TYPE ${family} ${kind}\n${unitLine}# HELP ${family} ${description}\n`;
  }
  const name = seriesNameOf(definition);
  return `# HELP ${name} ${description}\n# TYPE ${name} ${kind === 'info' ? 'gauge' : kind}\n`;
}

function linesOf(name: string, endpoint: string, { labels, ...point }: MetricPoint): string {
  const all = { endpoint, ...labels };
  if ('value' in point) return line(name, all, point.value);
  const buckets = Object.entries(point.histogram).map(([bucket, count]) => [Number(bucket), count] as const);
  const upTo = (last: number) => buckets.reduce((sum, [bucket, count]) => (bucket <= last ? sum + count : sum), 0);
  const total = upTo(Number.POSITIVE_INFINITY);
  return [
    ...bucketLimits.map(({ bucket, limit }) => line(`${name}_bucket`, { ...all, le: String(limit) }, upTo(bucket))),
    line(`${name}_bucket`, { ...all, le: '+Inf' }, total),
    line(`${name}_sum`, all, point.sum),
    line(`${name}_count`, all, total),
  ].join('');
}

/** Returns the text of the metrics of all endpoints. */
export function expositionOf(all: readonly EndpointFacts[], exposition: Exposition): string {
  const families = metricDefinitions.map((definition) => {
    const name = seriesNameOf(definition);
    const lines = all.flatMap((facts) =>
      definition.pointsOf(facts).map((point) => linesOf(name, facts.endpoint.id, point)),
    );
    return lines.length === 0 ? '' : headerOf(definition, exposition) + lines.join('');
  });
  return families.join('') + (exposition === 'openMetrics' ? '# EOF\n' : '');
}
