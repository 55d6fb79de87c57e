/** Deploys alarms on a clock that the test advances, with the emulators' parts that they need. */
import { createCloud } from '../../cloud.ts';
import { deployStack } from '../../cloudformation/deploy.ts';
import { type Alarms, createAlarms } from '../../cloudwatch/alarms.ts';
import { createEmbeddedReader } from '../../cloudwatch/embedded.ts';
import { createMetrics, type Metrics, MINUTE } from '../../cloudwatch/metrics.ts';
import { createPermissions } from '../../iam/permissions.ts';
import { createStateMachines } from '../../step-functions/state-machines.ts';
import { readAssembly } from '../../synthesis/assembly.ts';
import { createSharedFunctions, newFolder, noAws, writeAssembly } from '../small-service.ts';

const nowhere = 'http://127.0.0.1:1';
export const BEGIN = Date.UTC(2030, 0, 1);

export interface SmallCloudwatch {
  readonly metrics: Metrics;
  readonly alarms: Alarms;
  /** Messages that the user has seen. */
  readonly notices: readonly string[];
  /** Reads a line of a log. */
  readonly print: (line: string) => void;
  now(): number;
  /** Lets minutes pass, and evaluates the alarms at the end of each. */
  pass(minutes?: number): void;
  /** Returns the state of the alarm. */
  state(name: string): string | undefined;
  deploy(properties: Readonly<Record<string, object>>): Promise<void>;
}

export function createSmallCloudwatch(): SmallCloudwatch {
  let time = BEGIN;
  const now = () => time;
  const notices: string[] = [];
  const metrics = createMetrics(now);
  const alarms = createAlarms((text) => notices.push(text), now);
  return {
    metrics,
    alarms,
    notices,
    print: createEmbeddedReader(metrics),
    now,
    pass(minutes = 1) {
      for (let n = 0; n < minutes; n += 1) {
        time += MINUTE;
        alarms.evaluate(BEGIN);
      }
    },
    state: (name) => alarms.list().find(({ definition }) => definition.name === name)?.state,
    async deploy(properties) {
      const resources = Object.entries(properties).map(([name, Properties]) => [
        name,
        { Type: 'AWS::CloudWatch::Alarm', Properties: { AlarmName: name, ...Properties } },
      ]);
      const Resources = Object.fromEntries(resources);
      const [stack] = readAssembly(writeAssembly(newFolder(), { Notes: { Resources } }));
      const functions = createSharedFunctions();
      const cloud = createCloud({
        product: {},
        emulators: { dynamodbUrl: nowhere, sqsUrl: nowhere, s3Url: nowhere },
        proxyUrl: nowhere,
        awsEnvironment: noAws,
        permissions: createPermissions(),
        tables: new Map(),
        functions,
        customResources: { deleteOthers: async () => undefined } as never,
        stateMachines: createStateMachines({ invoke: functions.invoke, authorize: () => undefined }),
        port: 1,
        gatewayPort: 1,
        logFile: (name) => name,
        metrics,
        alarms,
      });
      if (stack) await deployStack(stack, cloud, new Map());
    },
  };
}

/** An alarm of one metric: the sum of each minute is above 0. */
export const failures = {
  Namespace: 'notes',
  MetricName: 'failures',
  Statistic: 'Sum',
  Period: 60,
  EvaluationPeriods: 1,
  Threshold: 0,
  ComparisonOperator: 'GreaterThanThreshold',
};
