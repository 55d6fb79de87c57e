/**
 * A deployment on the injected clock whose alarms are those of the synthesized stacks. Its functions write their metrics,
 * and what only AWS can measure is published as AWS would: in each minute once.
 */
import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import { portsWith } from '../../aws/ports.ts';
import { record } from '../../core/ledger/record.ts';
import { MINUTE } from '../../core/limits.ts';
import { sweep } from '../../core/sweeper/sweep.ts';
import { createAlarms } from '../../packages/emulator/cloudwatch/alarms.ts';
import { type AlarmProperties, alarmSchema, queriesOf } from '../../packages/emulator/cloudwatch/definition.ts';
import { createEmbeddedReader } from '../../packages/emulator/cloudwatch/embedded.ts';
import { createMetrics, type Metric } from '../../packages/emulator/cloudwatch/metrics.ts';
import { compileQueries, metricOf } from '../../packages/emulator/cloudwatch/queries.ts';
import type { SynthesizedStack } from '../lib/synthesis.ts';
import { noReleases } from '../releases/no-releases.ts';
import type { EmulatedDeployment } from '../support/emulated-deployment.ts';
import { recordServices } from '../support/recorded-services.ts';

/** The endpoint of the stacks. */
export const ENDPOINT = 'example';

type Values = Readonly<Record<string, number | readonly number[]>>;

/** What AWS measures in each minute of a deployment without a fault, by alarm. */
const usual: Readonly<Record<string, Values>> = {
  AlarmsSweeperSilent: { Invocations: 1 },
  IngressDirectUnhealthy: { HealthyHostCount: 1 },
  IngressGatewayUnhealthy: { HealthyHostCount: 1 },
};

/** Replaces functions of CloudFormation by a text, which is the same for the same resource. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== 'object' || value === null) return value;
  const [[name = '', its] = []] = Object.entries(value);
  if (name === 'Ref' || name.startsWith('Fn::')) return JSON.stringify(its);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolved(member)]));
}

/** Returns the alarms of the stacks by their names without hashes. */
export function alarmsOf(stacks: Readonly<Record<string, SynthesizedStack>>): ReadonlyMap<string, AlarmProperties> {
  const found = Object.values(stacks).flatMap(({ template }) =>
    Object.entries(template.findResources('AWS::CloudWatch::Alarm')).map(
      ([id, { Properties }]) => [id.replace(/[0-9A-F]{8}$/, ''), alarmSchema.parse(resolved(Properties))] as const,
    ),
  );
  return new Map(found);
}

export type WatchedDeployment = Awaited<ReturnType<typeof watchDeployment>>;

/** @param definitions the alarms by name */
export async function watchDeployment(emulated: EmulatedDeployment, definitions: ReadonlyMap<string, AlarmProperties>) {
  const { clock } = emulated;
  const now = () => clock.now();
  const ports = portsWith(emulated.ports, { ...noReleases(), services: recordServices() });
  const metrics = createMetrics(now);
  const alarms = createAlarms(undefined, now);
  const read = createEmbeddedReader(metrics);
  const used = new Map<string, readonly Metric[]>();
  for (const [name, properties] of definitions) {
    const parts = queriesOf(properties);
    const queries = compileQueries(parts, metrics);
    const compared = parts.find(({ ReturnData }) => ReturnData)?.Id ?? '';
    alarms.declare({ name, properties, queries, compared });
    used.set(
      name,
      parts.flatMap(({ MetricStat }) => (MetricStat ? metricOf(MetricStat.Metric) : [])),
    );
  }

  // The functions read the environment when they are loaded, and print to the console of the test.
  const namespace = used.get('AlarmsWaiting')?.[0]?.namespace ?? '';
  Object.assign(process.env, {
    POWERTOOLS_DEV: 'true',
    POWERTOOLS_METRICS_DISABLED: 'false',
    POWERTOOLS_METRICS_NAMESPACE: namespace,
    POWERTOOLS_SERVICE_NAME: 'gpu-endpoints',
  });
  const functions = {
    ...(await import('../../lambda/sweeper/metrics.ts')),
    ...(await import('../../lambda/set-aside.ts')),
    ...(await import('../../lambda/webhooks/failure-metric.ts')),
  };

  /** Reads a line of a log at the present time. */
  function print(line: string): void {
    const { _aws, ...members } = JSON.parse(line) as { readonly _aws: object };
    read(JSON.stringify({ ...members, _aws: { ..._aws, Timestamp: now() } }));
  }

  /** Runs code of functions, and reads the metrics among the lines that it prints. */
  function printed(code: (from: typeof functions) => void): void {
    const log = jest.spyOn(console, 'log').mockImplementation((line: unknown) => {
      if (String(line).includes('"_aws"')) print(String(line));
    });
    try {
      code(functions);
    } finally {
      log.mockRestore();
    }
  }

  /** Publishes values of the metrics of an alarm. If it has several of a name, of the first. */
  function put(alarm: string, values: Values): void {
    for (const [name, value] of Object.entries(values)) {
      const metric = used.get(alarm)?.find((one) => one.name === name);
      if (!metric) throw new Error(`${alarm} does not use ${name}.`);
      metrics.put(metric.namespace, metric.dimensions, { [name]: value });
    }
  }

  const sqs = new SQSClient({});
  const [address = ''] = (await ports.endpoints.readNow(ENDPOINT))?.normalQueueUrls ?? [];
  const queues = new Map<string, string>();
  for (const name of definitions.keys())
    if (name.endsWith('DeadLettersFilled')) {
      const QueueName = `alarms-${name}`;
      await sqs.send(new CreateQueueCommand({ QueueName }));
      queues.set(name, address.replace(/[^/]+$/, QueueName));
    }

  async function measureQueues(): Promise<void> {
    for (const [name, QueueUrl] of queues) {
      const AttributeNames = ['ApproximateNumberOfMessages' as const];
      const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
      const visible = Number(Attributes?.ApproximateNumberOfMessages);
      put(name, { ApproximateNumberOfMessagesVisible: visible });
    }
  }

  const begin = now();
  return {
    ...{ clock, ports, sqs, queues, put, print, printed },

    /**
     * Lets a minute pass: the ledger and the sweeper work, AWS measures, and the alarms are evaluated.
     * @param without alarm for whose metrics AWS measures nothing
     */
    async pass(without?: string): Promise<void> {
      await record(ports, await emulated.changes());
      const { measured } = await sweep(ports);
      printed(({ publishMeasured }) => publishMeasured(measured, 'few'));
      for (const [name, values] of Object.entries(usual)) if (name !== without && used.has(name)) put(name, values);
      await measureQueues();
      clock.advance(MINUTE - (now() % MINUTE));
      alarms.evaluate(begin);
    },

    /** Returns the alarms that have gone off. */
    fired: () => alarms.list().flatMap(({ definition: { name }, state }) => (state === 'ALARM' ? [name] : [])),
  };
}
