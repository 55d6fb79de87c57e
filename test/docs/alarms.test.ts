/** Tests that docs/guides/monitor.md lists the alarms, dead-letter queues and log lines of the service. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { anchorOf } from '../../docs/.vitepress/anchor.ts';
import { declare, type SynthesizedStack, stackOf, synthesizeWith } from '../lib/synthesis.ts';

const page = readFileSync('docs/guides/monitor.md', 'utf8');

/** Returns the cells of the table whose first heading is `heading`. The first column has no backticks. */
function rowsOf(heading: string): string[][] {
  const [, after = ''] = page.split(new RegExp(`^\\| ${heading} +\\|.*\n\\|[-| ]+\n`, 'm'));
  const [table = ''] = after.split(/^(?!\|)/m, 1);
  return table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
}

/** The hash at the end of a logical id. */
const withoutHash = (id: string) => id.replace(/[0-9A-F]{8}$/, '');

const ENDPOINT = 'example';
/** The name of an endpoint's stack on the page. */
const shownStack = (stack: string) => stack.replace(`-${ENDPOINT}`, '-ID');

interface AlarmProperties {
  readonly AlarmDescription: string;
  readonly TreatMissingData?: string;
  readonly Period?: number;
  readonly EvaluationPeriods: number;
  readonly Metrics?: readonly { readonly MetricStat?: { readonly Period: number } }[];
}

/** Returns the properties of all alarms, in the order of their names. */
const allAlarms = (stacks: Record<string, SynthesizedStack>) =>
  Object.values(stacks)
    .flatMap(({ template }) => Object.entries(template.findResources('AWS::CloudWatch::Alarm')))
    .map(([id, { Properties }]) => ({ id: withoutHash(id), ...(Properties as AlarmProperties) }))
    .toSorted((one, other) => one.id.localeCompare(other.id));

/** Returns name, stack and minutes of each alarm. */
const alarmsOf = (stacks: Record<string, SynthesizedStack>) =>
  Object.entries(stacks)
    .flatMap(([stack, { template }]) =>
      Object.entries(template.findResources('AWS::CloudWatch::Alarm')).map(([id, resource]) => {
        const { Period, EvaluationPeriods, Metrics = [] } = resource.Properties as AlarmProperties;
        const seconds = Period ?? Math.max(...Metrics.map(({ MetricStat }) => MetricStat?.Period ?? 0));
        return [withoutHash(id), shownStack(stack), `${(seconds * EvaluationPeriods) / 60} minutes`];
      }),
    )
    .toSorted();

describe('docs/guides/monitor.md', () => {
  // With the alarms that are off by default.
  const endpointAlarms = { rolledBack: 300_000, budgetPercent: 80, webhooksPercent: 20, volumePercent: 80 };
  const stacks = synthesizeWith({ endpointAlarms }, [declare(ENDPOINT, { maxDollarsPerDay: 1 })]);

  it('has a row for exactly the alarms of the stacks, with the minutes until they go off', () => {
    const rows = rowsOf('alarm').map(([name, stack, when]) => [name, stack, /\d+ minutes/.exec(when ?? '')?.[0]]);
    expect(rows).toEqual(alarmsOf(stacks));
  });

  it('has the entry of the runbook that the description of each alarm names after its sentence', () => {
    const anchors = [...page.matchAll(/^## (.+)$/gm)].map(
      ([, heading = '']) => `docs/guides/monitor.md#${anchorOf(heading)}`,
    );
    const texts = allAlarms(stacks).map(({ AlarmDescription }) => AlarmDescription);
    const withoutEntry = texts.filter((text) => !anchors.includes(/^[A-Z].*\. Runbook: (\S+)$/.exec(text)?.[1] ?? ''));
    expect(withoutEntry).toEqual([]);
  });

  it('is about alarms of which only those of what always runs go off without data', () => {
    const without = allAlarms(stacks).filter(({ TreatMissingData }) => TreatMissingData !== 'notBreaching');
    expect(without.map(({ id, TreatMissingData }) => [id, TreatMissingData])).toEqual([
      ['AlarmsSweeperSilent', 'breaching'],
      ['IngressDirectUnhealthy', 'breaching'],
      ['IngressGatewayUnhealthy', 'breaching'],
      // The volume keeps its size while no worker measures it.
      ['WorkersVolumeFull', 'ignore'],
    ]);
  });

  it('names the alarms that do not exist without the ingress', () => {
    const without = alarmsOf(
      synthesizeWith({ ingress: 'off', endpointAlarms }, [declare(ENDPOINT, { maxDollarsPerDay: 1 })]),
    ).map(([name]) => name);
    const missing = alarmsOf(stacks).filter(([name]) => !without.includes(name));
    expect(missing).toHaveLength(3);
    expect(missing.map(([name]) => name)).toEqual(
      rowsOf('alarm').flatMap(([name, , , remedy]) => (remedy?.includes('the ingress') ? [name] : [])),
    );
  });

  it('has a row for exactly the dead-letter queues of the stack Platform', () => {
    const { template } = stackOf(stacks, 'Platform');
    const queues = Object.keys(template.findResources('AWS::SQS::Queue')).map(withoutHash);
    const rows = rowsOf('queue').filter(([name]) => name !== 'MessagesDeadLetters');
    expect(new Set(rows.map(([name]) => name))).toEqual(new Set(queues.filter((name) => name.endsWith('DeadLetters'))));
  });

  it('names only log lines of the code', () => {
    const code = globSync('{aws,core,ingress,lambda,worker}/**/*.ts').map((file) => readFileSync(file, 'utf8'));
    const lines = rowsOf('log line').map(([line]) => line);
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter((line) => !code.some((text) => text.includes(`'${line}'`)))).toEqual([]);
  });
});
