/** Tests `npx gpu-endpoints cost estimate`, which prices the stacks while nothing runs, an hour of a worker, and a million jobs. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Template } from '../../../bin/assembly/app.ts';
import type { Bill } from '../../../bin/cost/bill.ts';
import { renderBrief } from '../../../bin/cost/brief.ts';
import { costPlace, render, renderStanding } from '../../../bin/cost/tables.ts';
import { parseOutput } from '../command-output.ts';
import { bill, endpoint, gpuTask, only, onPool, pool, resource } from './small-stacks.ts';

const folder = mkdtempSync(join(tmpdir(), 'gpu-endpoints-cost-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

function cost(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/cli.ts', 'cost', 'estimate', ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('the Region of the prices', () => {
  it('is that of the environment, whose prices may not be recorded', () => {
    const { status, stderr, stdout } = cost('--env', 'example', '--json');
    expect([status, stderr]).toEqual([0, 'Prices are those of us-east-1; no prices of eu-west-1 are recorded.\n']);
    expect(parseOutput<Bill>('cost estimate', stdout).region).toBe('us-east-1');
  });
});

describe('the alarms and metrics of an endpoint', () => {
  it('have a row with their cost a month, without alarms that it does not have', () => {
    const stack = (alarms: number, registration: object = {}) => ({
      Resources: {
        ...Object.fromEntries(
          Array.from({ length: alarms }, (_, n) => [`Alarm${n}`, resource('AWS::CloudWatch::Alarm', { Period: 60 })]),
        ),
        Registration: resource('Custom::Endpoint', { minWorkers: 0, maxWorkers: 1, ...registration }),
      },
    });
    const rowsWith = (ENDPOINT_METRICS: string) => {
      const Sweep = resource('AWS::Lambda::Function', { Environment: { Variables: { ENDPOINT_METRICS } } });
      const text = render(
        bill({
          'Endpoint-chat': stack(4, { maxDollarsPerDay: 10 }),
          'Endpoint-echo': stack(0),
          Platform: { Resources: { Sweep, Alarm: resource('AWS::CloudWatch::Alarm', { Period: 60 }) } },
        }),
      );
      const rows = text.matchAll(/^\| (chat|echo|Platform) +\| +([\d.]+) \| +([\d.]+) \|$/gm);
      return [...rows].map(([, ...cells]) => cells);
    };
    // An endpoint with a budget has one metric more.
    expect(rowsWith('few')).toEqual([
      ['chat', '0.40', '1.80'],
      ['echo', '0.00', '1.50'],
    ]);
    expect(rowsWith('all')).toEqual([
      ['chat', '0.40', '2.40'],
      ['echo', '0.00', '2.10'],
    ]);
    expect(rowsWith('none')).toEqual([
      ['chat', '0.40', '0.00'],
      ['echo', '0.00', '0.00'],
    ]);
  });
});

describe('the standing costs', () => {
  it('are the sum of all resources', () => {
    const { standing, standingTotal, unpriced } = bill({
      Network: {
        Resources: {
          NatA: resource('AWS::EC2::NatGateway'),
          NatB: resource('AWS::EC2::NatGateway'),
          Address: resource('AWS::EC2::EIP'),
          Free: resource('AWS::EC2::VPCEndpoint', { VpcEndpointType: 'Gateway' }),
          Logs: resource('AWS::EC2::VPCEndpoint', { VpcEndpointType: 'Interface', SubnetIds: ['a', 'b'] }),
        },
      },
      Rest: {
        Resources: {
          Key: resource('AWS::KMS::Key'),
          Secret: resource('AWS::SecretsManager::Secret'),
          Alarm: resource('AWS::CloudWatch::Alarm', { Period: 60 }),
          Jobs: resource('AWS::DynamoDB::Table', { BillingMode: 'PAY_PER_REQUEST' }),
          Role: resource('AWS::IAM::Role'),
        },
      },
    });
    expect(unpriced).toEqual([]);
    const monthly = Object.fromEntries(standing.map((line) => [line.what, line.monthly]));
    // 730 hours: two gateways at $0.045, an address at $0.005, an interface in two zones at $0.01.
    expect(monthly['NAT gateway']).toBeCloseTo(65.7, 6);
    expect(monthly['public address']).toBeCloseTo(3.65, 6);
    expect(monthly['interface endpoint, per zone']).toBeCloseTo(14.6, 6);
    expect(standingTotal).toBeCloseTo(65.7 + 3.65 + 14.6 + 1 + 0.4 + 0.1, 6);
  });

  it('count workers that always run, and their calls', () => {
    const { standing } = bill({ 'Endpoint-llm': endpoint(2) });
    // Two tasks of 2 vCPU at $0.04048 and 8 GB at $0.004445, for 730 hours.
    expect(standing[0]).toMatchObject({ stack: 'Endpoint-llm', count: 2 });
    expect(standing[0]?.monthly).toBeCloseTo(2 * (2 * 0.04048 + 8 * 0.004445) * 730, 6);
    // A lease and two polls every 10 s cost 6 WRU at $0.625 and 12 requests at $0.40 a minute.
    const idle = standing.find(({ what }) => what === "an idle worker's calls");
    expect(idle?.monthly).toBeCloseTo((2 * (6 * 0.625 + 12 * 0.4) * 43_800) / 1_000_000, 6);
  });

  it('are only those of the sweeper and of the launching function for an endpoint without workers', () => {
    const { standing } = bill({ 'Endpoint-llm': endpoint(0) });
    expect(standing.map(({ what }) => what)).toEqual([
      "the sweeper's calls, per endpoint",
      "the launching function's list, per endpoint",
    ]);
    // One scan a minute, which reads up to 4 KB for the three endpoints of the record.
    expect(standing[1]?.monthly).toBeCloseTo((43_800 * 0.125) / 1_000_000 / 3, 9);
  });

  it('include scheduled calls, but not calls that events cause', () => {
    const Rule = resource('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 minute)',
      Targets: [{ Arn: { 'Fn::GetAtt': ['Sweep', 'Arn'] } }],
    });
    const Sweep = resource('AWS::Lambda::Function', { MemorySize: 1024 });
    const { standingTotal } = bill({ Platform: { Resources: { Rule, Sweep } } });
    // 43,800 calls at $0.20 a million, and 300 ms of 1 GB each at $13.3334 a million.
    expect(standingTotal).toBeCloseTo((43_800 * (0.2 + 0.3 * 13.3334)) / 1_000_000, 6);
    expect(only('AWS::Events::Rule', { EventPattern: {} })).toMatchObject({ standingTotal: 0, unpriced: [] });
    expect(only('AWS::Events::Rule', { ScheduleExpression: 'cron(0 0 * * ? *)' }).unpriced).toHaveLength(1);
  });

  it('are 0 for a file system with elastic throughput, and unknown with other throughput', () => {
    const elastic = only('AWS::EFS::FileSystem', { ThroughputMode: 'elastic' });
    expect(elastic).toMatchObject({ standingTotal: 0, unpriced: [] });
    expect(elastic.byUse).toContainEqual(expect.objectContaining({ use: 'fileMonth', price: 0.3, per: 'GB' }));
    expect(only('AWS::EFS::FileSystem', { ThroughputMode: 'provisioned' }).unpriced).toHaveLength(1);
  });

  it('include the polls of a queue for a function, but not those of a stream', () => {
    expect(only('AWS::Lambda::EventSourceMapping').standingTotal).toBeCloseTo(0.2628, 6);
    expect(only('AWS::Lambda::EventSourceMapping', { StartingPosition: 'LATEST' }).standingTotal).toBe(0);
  });
});

/** A load balancer, a service with at least two tasks, and its scaling policy, as in the stack Platform. */
const ingress: Template = {
  Resources: {
    Balancer: resource('AWS::ElasticLoadBalancingV2::LoadBalancer'),
    Task: resource('AWS::ECS::TaskDefinition', {
      Cpu: '512',
      Memory: '2048',
      RequiresCompatibilities: ['FARGATE'],
      RuntimePlatform: { CpuArchitecture: 'ARM64' },
    }),
    Service: resource('AWS::ECS::Service', { TaskDefinition: { Ref: 'Task' }, LoadBalancers: [{}, {}] }),
    Count: resource('AWS::ApplicationAutoScaling::ScalableTarget', {
      MinCapacity: 2,
      ResourceId: { 'Fn::Join': ['/', ['service', { 'Fn::GetAtt': ['Service', 'Name'] }]] },
    }),
    Policy: resource('AWS::ApplicationAutoScaling::ScalingPolicy', {
      TargetTrackingScalingPolicyConfiguration: { TargetValue: 1_000, CustomizedMetricSpecification: {} },
    }),
    Unhealthy: resource('AWS::CloudWatch::Alarm', { Namespace: 'AWS/ApplicationELB', Period: 60 }),
    Key: resource('AWS::KMS::Key'),
  },
};

describe('the ingress', () => {
  const { standingTotal, standingOfIngress, unpriced, waits, jobs } = bill({ Platform: ingress });
  /** 0.5 vCPU at $0.03238 and 2 GB at $0.00356. */
  const taskHour = 0.5 * 0.03238 + 2 * 0.00356;

  it('costs its load balancer, its minimum of tasks, a metric and alarms while nothing runs', () => {
    expect(unpriced).toEqual([]);
    expect(standingOfIngress).toBeCloseTo(730 * (0.0225 + 2 * taskHour) + 0.3 + 3 * 0.1, 6);
    expect(standingTotal).toBeCloseTo(standingOfIngress + 1, 6);
    expect(render(bill({ Platform: ingress }))).toContain('With `-c ingress=off`, the total is $1.00.');
  });

  it('does not cost the workers of endpoints, whose services have empty lists of load balancers', () => {
    const worker = endpoint(1, gpuTask, { ...onPool, LoadBalancers: [] });
    const its = bill({ 'Endpoint-llm': worker, Fleet: pool('g5.xlarge'), Platform: ingress });
    expect(its.standingOfIngress).toBeCloseTo(standingOfIngress, 6);
    expect(its.waits).toEqual(waits);
    expect(its.jobs).toEqual(jobs);
  });

  it('holds calls that wait for less than a hundredth of the cost of functions', () => {
    // 1,000 connections at 25 a second are 1 / 90 capacity units; half of a task is in use for a minute, and its
    // processor for 12 s.
    expect(waits.inIngress).toBeCloseTo((1_000 / 25 / 3_600) * 0.008 + ((60 + 12) / 3_600) * taskHour, 6);
    // Each call costs 60.012 s of half a GB, and a request.
    expect(waits.inFunctions).toBeCloseTo((1_000 * (60.012 * 0.5 * 13.3334 + 0.2)) / 1_000_000, 6);
    expect(waits.inFunctions / (waits.inIngress ?? 0)).toBeGreaterThan(100);
  });

  it('serves the requests that wait, while functions serve all other requests', () => {
    const functions = bill({}).jobs;
    const changed = jobs.filter(({ scenario, lambda }) => {
      const before = functions.find((line) => line.scenario === scenario);
      return lambda !== before?.lambda;
    });
    expect(changed.map(({ scenario }) => scenario)).toEqual(['runsync', 'stream', 'openai', 'openai-stream']);
    for (const { ingress: its } of changed) expect(its).toBeGreaterThan(0);
    for (const line of functions) expect(line.ingress).toBe(0);
    const runsync = [functions, jobs].map((lines) => lines.find(({ scenario }) => scenario === 'runsync')?.total ?? 0);
    expect(runsync[1]).toBeLessThan(runsync[0] ?? 0);
  });

  it('is not priced without a target tracking policy', () => {
    expect(only('AWS::ApplicationAutoScaling::ScalingPolicy').unpriced).toHaveLength(1);
  });
});

describe('a million jobs', () => {
  const { jobs } = bill({ Platform: ingress });

  it.each(['run', 'run-100', 'webhook', 'webhook-100'])(
    'cost at most $25.63 at the address of API Gateway, and $29.63 at the published one: %s',
    (scenario) => {
      const line = jobs.find((one) => one.scenario === scenario);
      expect(line?.total).toBeLessThanOrEqual(25.63);
      expect(line?.published).toBeLessThanOrEqual(29.63);
      // Each of the four requests costs $1 and $0.10 a million.
      expect((line?.published ?? 0) - (line?.total ?? 0)).toBeCloseTo(4.4, 6);
    },
  );
});

describe('a resource without a price', () => {
  it.each([
    ['AWS::Neptune::DBCluster', {}],
    ['AWS::DynamoDB::Table', { ProvisionedThroughput: {} }],
    ['AWS::ECS::Cluster', { ClusterSettings: [{ Name: 'containerInsights', Value: 'enabled' }] }],
    ['AWS::ApiGateway::Stage', { CacheClusterEnabled: true }],
    ['AWS::AutoScaling::WarmPool', { MinSize: 1, MaxGroupPreparedCapacity: 1, PoolState: 'Running' }],
    ['AWS::AutoScaling::WarmPool', { AutoScalingGroupName: { Ref: 'Elsewhere' }, MaxGroupPreparedCapacity: 1 }],
  ])('is named in the bill: %s %j', (type, properties) => {
    expect(only(type, properties).unpriced).toEqual([expect.stringMatching(/^Stack\/Thing: .*priced/)]);
  });

  it('makes the command exit with 1', () => {
    const template = { Resources: { Graph: resource('AWS::Neptune::DBCluster'), Key: resource('AWS::KMS::Key') } };
    writeFileSync(join(folder, 'Stack.template.json'), JSON.stringify(template));
    const { status, stdout } = cost('--app', folder);
    expect(stdout).toContain('Stack/Graph: the type AWS::Neptune::DBCluster is not priced');
    expect(stdout).toMatch(/^total +1\.00$/m);
    expect(cost('--app', folder, '--all').stdout).toMatch(/total of priced resources\*\* .* 1\.00 \|/);
    expect(status).toBe(1);
  });
});

describe('what the command prints by default', () => {
  const lines = renderBrief(bill({ Platform: ingress, 'Endpoint-llm': endpoint(0) }), 80).split('\n');

  it('has the large charges, the largest first, and one line for all others', () => {
    const begin = lines.findIndex((line) => line.startsWith('WHILE NOTHING RUNS'));
    expect(lines.slice(begin + 1, begin + 6).map((line) => line.replace(/ +/g, ' '))).toEqual([
      'tasks on Fargate ARM64, 0.5 vCPU, 2 GB 34.03',
      'load balancer 16.43',
      'KMS key 1.00',
      '5 smaller charges 0.63',
      'total 52.09',
    ]);
  });

  it('has a line for each endpoint, and fits on a screen', () => {
    expect(lines).toContainEqual(
      expect.stringMatching(/^llm +Fargate X86_64, 2 vCPU, 8 GB +0 to 5 +0\.1165 +0\.5826$/),
    );
    expect(lines.length).toBeLessThan(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('names what is not priced', () => {
    expect(renderBrief(only('AWS::Neptune::DBCluster'), undefined)).toContain('Stack/Thing: the type AWS::Neptune');
  });
});

describe('gpu-endpoints cost estimate', () => {
  it('prices everything that this repository deploys, with the figures of docs/reference/costs.md', () => {
    const { status, stdout, stderr } = cost('--json');
    expect(stderr).toBe('');
    const now = parseOutput<Bill>('cost estimate', stdout);
    expect(now.unpriced).toEqual([]);
    expect(status).toBe(0);
    // If this fails: npx gpu-endpoints cost estimate --record
    expect(costPlace.read()).toBe(renderStanding(now));
    expect(now.jobs.find(({ scenario }) => scenario === 'run')?.total).toBeGreaterThan(10);
  });

  it('refuses unknown regions, flags and folders', () => {
    expect(cost('--region', 'mars-1')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('There are no prices for mars-1; there are prices for us-east-1'),
    });
    expect(cost('--cheap')).toMatchObject({ status: 1, stderr: expect.stringContaining("unknown option '--cheap'") });
    expect(cost('--app', join(folder, 'nowhere')).stderr).toContain('has no synthesized stacks');
  });
});
