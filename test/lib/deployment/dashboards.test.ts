import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { runbook } from '../../../lib/constructs/runbook.ts';
import { dashboardsOf } from '../../../lib/deployment/dashboards.ts';
import { savedQueries } from '../../../lib/deployment/saved-queries.ts';
import { scopeWith } from '../../../lib/settings/settings.ts';
import { declare, type SynthesizedStack, stackOf, synthesizeWith } from '../synthesis.ts';

interface Widget {
  readonly type: string;
  readonly properties: {
    readonly title: string;
    readonly metrics: readonly unknown[];
    readonly annotations?: { readonly horizontal: readonly { readonly value: number }[] };
  };
}

/** Returns the name and the widgets of the dashboard in a stack. */
function dashboardIn({ template }: SynthesizedStack) {
  const [dashboard] = Object.values(template.findResources('AWS::CloudWatch::Dashboard'));
  if (!dashboard) return undefined;
  const { DashboardName: name, DashboardBody: body } = dashboard.Properties;
  const text =
    typeof body === 'string'
      ? body
      : body['Fn::Join'][1].map((part: unknown) => (typeof part === 'string' ? part : 'REFERENCE')).join('');
  const { widgets } = JSON.parse(text) as { readonly widgets: readonly Widget[] };
  return { name, graphs: widgets.filter(({ type }) => type === 'metric').map(({ properties }) => properties), text };
}

const countOf = ({ template }: SynthesizedStack, type: string) => Object.keys(template.findResources(type)).length;

describe('the dashboards', () => {
  let stacks: ReturnType<typeof synthesizeWith>;
  beforeAll(() => {
    stacks = synthesizeWith({ dashboards: 'all' }, [declare('echo')]);
  });

  it.each(['Platform', 'Endpoint-echo'])('of %s shows each alarm of the stack with its threshold', (name) => {
    const stack = stackOf(stacks, name);
    const graphs = dashboardIn(stack)?.graphs.filter(({ annotations }) => annotations?.horizontal.length === 1);
    expect(graphs).toHaveLength(countOf(stack, 'AWS::CloudWatch::Alarm'));
    for (const { title } of graphs ?? []) expect(title).toMatch(/^[A-Z].*\.$/);
  });

  it('have the names of the deployment and of its endpoints', () => {
    expect(dashboardIn(stackOf(stacks, 'Platform'))?.name).toBe('gpu-endpoints');
    expect(dashboardIn(stackOf(stacks, 'Endpoint-echo'))?.name).toBe('gpu-endpoints-echo');
  });

  it('find all endpoints by a search, so that the size of the stack does not depend on their number', () => {
    const text = dashboardIn(stackOf(stacks, 'Platform'))?.text;
    expect(text).toContain(`{gpu-endpoints/Platform,endpoint,service} MetricName=\\"gpu_endpoints.job.queue.depth\\"`);
    expect(text).not.toContain('echo');
  });

  it('have graphs of the metrics that the setting `endpointMetrics` publishes', () => {
    const titles = (endpointMetrics: string, name: string) =>
      dashboardIn(stackOf(synthesizeWith({ dashboards: 'all', endpointMetrics }, [declare('echo')]), name))
        ?.graphs.map(({ title }) => title)
        .filter((title) => !title.endsWith('.'));
    expect(titles('all', 'Platform')).toEqual(expect.arrayContaining(['Waiting jobs', 'Running jobs', 'Workers']));
    expect(titles('all', 'Endpoint-echo')).toContain('Running jobs and workers');
    expect(['Platform', 'Endpoint-echo'].map((name) => titles('none', name))).toEqual([[], []]);
  });

  it('exist only if the setting says so', () => {
    const counts = (settings: object) =>
      Object.values(synthesizeWith(settings, [declare('echo')])).map((stack) =>
        countOf(stack, 'AWS::CloudWatch::Dashboard'),
      );
    expect(counts({}).some((count) => count > 0)).toBe(false);
    expect(counts({ dashboards: 'deployment' }).filter((count) => count > 0)).toEqual([1]);
    expect(() => dashboardsOf(scopeWith({ dashboards: 'every' }))).toThrow(
      'The context `dashboards` must be none, deployment or all, got "every".',
    );
  });
});

describe('the saved queries', () => {
  const stacks = synthesizeWith({}, []);
  const definitions = Object.values(
    stackOf(stacks, 'Management').template.findResources('AWS::Logs::QueryDefinition'),
  ).map(
    ({ Properties }) =>
      Properties as { readonly Name: string; readonly QueryString: string; readonly LogGroupNames: unknown },
  );

  it('are one for each question of the runbook that logs answer, and on the page', () => {
    const page = readFileSync('docs/guides/monitor.md', 'utf8');
    const rows = [...page.matchAll(/^\| `([\w-]+)` +\| \[.+\]\(#(.+)\) +\|$/gm)].map(([, name, anchor]) => [
      name,
      anchor,
    ]);
    const entries = Object.entries(savedQueries) as [keyof typeof runbook, { name: string }][];
    expect(rows).toEqual(entries.map(([entry, { name }]) => [name, runbook[entry]]));
    expect(definitions.map(({ Name }) => Name).toSorted((one, other) => one.localeCompare(other))).toEqual(
      entries.map(([, { name }]) => `gpu-endpoints/${name}`).toSorted((one, other) => one.localeCompare(other)),
    );
  });

  it('read the logs of the functions of the platform, of which Logs Insights accepts 50', () => {
    const { template } = stackOf(stacks, 'Platform');
    const [parameter] = Object.values(
      template.findResources('AWS::SSM::Parameter', {
        Properties: { Type: 'StringList', Name: '/gpu-endpoints/Platform/LogGroups' },
      }),
    );
    const joined = parameter?.Properties.Value as
      | { readonly 'Fn::Join': readonly [string, readonly unknown[]] }
      | undefined;
    const [, parts = []] = joined?.['Fn::Join'] ?? [];
    const groups = parts.filter((part) => typeof part === 'object');
    expect(groups).toHaveLength(countOf(stackOf(stacks, 'Platform'), 'AWS::Lambda::Function'));
    expect(groups.length).toBeLessThanOrEqual(50);
    for (const { LogGroupNames } of definitions) expect(LogGroupNames).toEqual({ Ref: 'PlatformLogGroups' });
  });

  it('do not read metrics that are not published', () => {
    const { template } = stackOf(synthesizeWith({ endpointMetrics: 'none' }, []), 'Management');
    const queries = Object.values(template.findResources('AWS::Logs::QueryDefinition'));
    expect(queries.length).toBeLessThan(definitions.length);
    expect(JSON.stringify(queries)).not.toContain('gpu_endpoints.');
  });

  it('search for messages that functions write', () => {
    const sources = [
      'lambda/http.ts',
      'lambda/sweeper/sweep.ts',
      'lambda/ledger/record.ts',
      'lambda/fleet/launch.ts',
      'lambda/set-aside.ts',
    ]
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const messages = definitions.flatMap(({ QueryString }) =>
      [...QueryString.matchAll(/"([^"]+\.)"/g)].map(([, message = '']) => message),
    );
    expect(messages.length).toBeGreaterThan(5);
    for (const message of messages) expect(sources).toContain(message);
  });
});
