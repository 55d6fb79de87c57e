/** Tests `docs/reference/metrics.md` against the code and the synthesized stacks. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_DEPLOYMENT } from '../../core/deployment.ts';
import { endpointMetrics } from '../../core/sweeper/measure.ts';
import { volumeFields } from '../../core/workers/volume-metrics.ts';
import { EndpointMetrics } from '../../lib/endpoints/metrics.ts';
import { functionMetrics } from '../../lib/settings/settings.ts';
import { declare, type SynthesizedStack, stackOf, synthesizeWith } from '../lib/synthesis.ts';

const page = readFileSync('docs/reference/metrics.md', 'utf8');

/** Returns the cells of the table below a heading. */
function rowsOf(heading: string): string[][] {
  const section = page.split(`## ${heading}\n`)[1]?.split(/\n##+ /)[0] ?? '';
  const lines = section.split('\n').filter((line) => /^\| `/.test(line));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const inCode = (text: string) => `\`${text}\``;
/** Alarms that are off by default. */
const endpointAlarms = { rolledBack: 60_000, budgetPercent: 80, webhooksPercent: 10, volumePercent: 80 };
const withIngress = synthesizeWith({ accessLogDays: 30, endpointAlarms }, [declare('echo', { maxDollarsPerDay: 1 })]);
const withoutIngress = synthesizeWith({ ingress: 'off' });

/** Returns the resources of a type by their ids without CDK's hash. */
function resources({ template }: SynthesizedStack, type: string) {
  const found = Object.entries(template.findResources(type));
  return found.map(([id, { Properties }]) => [id.slice(0, -8), Properties] as const);
}

const stacks = ['Platform', 'Management', 'Endpoint-echo'].map((name) => stackOf(withIngress, name));
const alarms = stacks.flatMap((stack) => resources(stack, 'AWS::CloudWatch::Alarm'));

const sources = globSync('{aws,core,ingress,lambda,worker}/**/*.ts').map((file) => readFileSync(file, 'utf8'));

describe('the metrics on the page', () => {
  const rows = rowsOf('Metrics of the service');

  it('are exactly those that functions and the ingress add, with unit and namespace', () => {
    const added = sources.flatMap((source) => [...source.matchAll(/addMetric\((\w+), MetricUnit\.(\w+)/g)]);
    const ofEndpoints = Object.values(endpointMetrics).map(({ name, unit }) => [inCode(name), unit]);
    const names = added.map(([, constant, unit]) => {
      const declared = sources.map((source) => new RegExp(`const ${constant} = '(\\w+)'`).exec(source)?.[1]);
      return [inCode(declared.find((name) => name !== undefined) ?? `${constant}`), unit];
    });
    const namespace = functionMetrics(withoutNode).replace(DEFAULT_DEPLOYMENT, 'DEPLOYMENT');
    const ofPage = rows.filter(([, where]) => where === inCode(namespace)).map(([name, , unit]) => [name, unit]);
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(ofPage.map(String))).toEqual(new Set([...names, ...ofEndpoints].map(String)));
  });

  it('are exactly those that agents write, with unit and dimension', () => {
    expect(sources.filter((source) => source.includes('CloudWatchMetrics')).length).toBe(1);
    const measured = { bytes: 0, entries: 0, unreadable: 0, complete: true };
    const { _aws } = volumeFields('echo', measured, { gb: 1, deployment: 'DEPLOYMENT' }, 0) as {
      _aws: { CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: Record<string, string>[] }[] };
    };
    const written = _aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
      Metrics.map(({ Name = '', Unit }) => [
        inCode(Name),
        inCode(Namespace),
        Unit,
        Dimensions.flat().map(inCode).join(),
      ]),
    );
    expect(rows.filter(([, where]) => where === '`DEPLOYMENT`')).toEqual(written);
  });

  it('name each alarm of the stacks in the section of its metric', () => {
    expect(alarms.length).toBeGreaterThan(4);
    const missing = alarms.filter(([name, { MetricName, Metrics }]) => {
      const metric = MetricName ?? Metrics.map((each: Metric) => each.MetricStat?.Metric.MetricName).find(Boolean);
      const own = page.split(/\n(?=##+ |\| `)/).filter((part) => part.includes(inCode(metric)));
      return !own.some((part) => part.includes(inCode(name)));
    });
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it('name no alarm that the stacks do not have', () => {
    const named = [
      ...page.matchAll(
        /`(\w+(?:Behind|Failing|Filled|Full|High|NoWorker|RolledBack|Silent|Throttled|Unhealthy|Unreadable|Waiting))`/g,
      ),
    ].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(alarms.map(([name]) => name)));
  });
});

interface Metric {
  readonly MetricStat?: { readonly Metric: { readonly MetricName: string } };
}
/** A construct without settings. */
const withoutNode = { node: { tryGetContext: () => undefined } } as unknown as Parameters<typeof functionMetrics>[0];

describe('the log groups on the page', () => {
  const functionsOf = (synthesized: typeof withIngress) =>
    ['Platform', 'Management'].flatMap((stack) =>
      resources(stackOf(synthesized, stack), 'AWS::Lambda::Function').map(([id, { LoggingConfig }]) => ({
        stack,
        id,
        group: String(LoggingConfig.LogGroup.Ref).slice(0, -8),
      })),
    );

  it('have the ids of their functions, which are on the page of permissions', () => {
    const permissions = readFileSync('docs/reference/permissions.md', 'utf8');
    const functions = [...functionsOf(withIngress), ...functionsOf(withoutIngress)];
    expect(functions.length).toBeGreaterThan(50);
    for (const { stack, id, group } of functions) {
      expect(group).toBe(`${id}Logs`);
      expect(permissions).toContain(`\n### ${stack}/${id}\n`);
    }
  });

  it('are all other log groups of the stacks, with their retention', () => {
    const groups = stacks.flatMap((stack) => resources(stack, 'AWS::Logs::LogGroup'));
    const ofFunctions = new Set(functionsOf(withIngress).map(({ group }) => group));
    const others = groups.filter(([name]) => !ofFunctions.has(name));
    expect(new Set(rowsOf('Log groups').map(([name]) => name))).toEqual(new Set(others.map(([name]) => inCode(name))));
    const fixed = groups.filter(([name]) => !name.endsWith('AccessLog'));
    expect(new Set(fixed.map(([, { RetentionInDays }]) => RetentionInDays))).toEqual(new Set([30]));
  });

  it('have a row for every field of an access log', () => {
    const [stage] = resources(stacks[0] as SynthesizedStack, 'AWS::ApiGateway::Stage').map(
      ([, properties]) => properties,
    );
    const fields = Object.keys(JSON.parse(stage?.AccessLogSetting.Format ?? '{}'));
    expect(fields.length).toBeGreaterThan(5);
    expect(rowsOf('Access logs').map(([name]) => name)).toEqual(fields.map(inCode));
  });
});

describe('the log lines on the page', () => {
  const LINE = /\blog(?:ger)?\.(?:info|warn|error)\(\s*'([^']+)'/g;
  const lines = new Set(sources.flatMap((source) => [...source.matchAll(LINE)].map(([, line = '']) => line)));
  const rows = [...rowsOf('Lines of functions and the ingress'), ...rowsOf('Lines of agents')].map(([line]) => line);

  it('are all constant lines of the code', () => {
    expect(lines.size).toBeGreaterThan(40);
    expect([...lines].filter((line) => !rows.includes(inCode(line)))).toEqual([]);
  });

  it('are all in the code, up to values', () => {
    const code = sources.join('\n');
    const isInSources = (line: string) =>
      line.split(/\.\.\.|\b(?:N|PATH)\b/).every((part) => part.trim() === '' || code.includes(part.trim()));
    const unknown = rows.filter((row = '') => {
      const line = row.slice(1, -1);
      return (
        !isInSources(line) &&
        !isInSources(line.replace('; retrying.', '')) &&
        !isInSources(line.replace(' The task stops.', ''))
      );
    });
    expect(unknown).toEqual([]);
  });
});

describe('the rules on the page', () => {
  it('are those of the stacks, with their sources and events', () => {
    const rules = resources(stacks[0] as SynthesizedStack, 'AWS::Events::Rule').map(([name, { EventPattern }]) => [
      inCode(name),
      EventPattern ? EventPattern.source.map(inCode).join() : 'a schedule',
      EventPattern ? EventPattern['detail-type'].map(inCode).join() : 'every minute',
    ]);
    expect(new Set(rowsOf('Events').map((row) => String(row.slice(0, 3))))).toEqual(new Set(rules.map(String)));
  });
});

it('lists each method of an endpoint that returns a metric', () => {
  const methods = Object.getOwnPropertyNames(EndpointMetrics.prototype).filter((name) => /^metric./.test(name));
  const rows = rowsOf('How do I use a metric in an app?');
  expect(rows.map(([method]) => method)).toEqual(methods.map((name) => inCode(`${name}()`)));
});
