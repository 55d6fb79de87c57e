/** Small stacks, and their bills. */
import { appOf, type Template } from '../../../bin/assembly/app.ts';
import { type Bill, billOf } from '../../../bin/cost/bill.ts';
import { readRecord } from '../../../bin/job-calls/record.ts';
import { readPrices } from '../../../lib/prices/prices.ts';

const prices = readPrices();
const recorded = readRecord();

export const bill = (templates: Readonly<Record<string, Template>>): Bill =>
  billOf({ app: appOf(templates), prices, recorded });

/** Returns the bill of a deployment that sets its Region. */
export function billAt(region: string, templates: Readonly<Record<string, Template>>): Bill {
  const { deployment } = appOf(templates);
  const app = appOf(templates, { ...deployment, place: { account: '123456789012', region } });
  return billOf({ app, prices, recorded });
}

export const resource = (Type: string, Properties: Readonly<Record<string, unknown>> = {}) => ({ Type, Properties });

export const only = (Type: string, Properties: Readonly<Record<string, unknown>> = {}): Bill =>
  bill({ Stack: { Resources: { Thing: resource(Type, Properties) } } });

export const fargate = (RuntimePlatform: object = { CpuArchitecture: 'X86_64' }) =>
  resource('AWS::ECS::TaskDefinition', {
    Cpu: '2048',
    Memory: '8192',
    RequiresCompatibilities: ['FARGATE'],
    RuntimePlatform,
  });

/** An endpoint's stack. */
export const endpoint = (minWorkers: number, task = fargate(), service: object = {}): Template => ({
  Resources: {
    Task: task,
    Service: resource('AWS::ECS::Service', { TaskDefinition: 'Endpoint-llm', ...service }),
    Registration: resource('Custom::Endpoint', { id: 'llm', blueprint: { Ref: 'Task' }, minWorkers, maxWorkers: 5 }),
  },
});

export const gpuTask = resource('AWS::ECS::TaskDefinition', { RequiresCompatibilities: ['EC2'] });
export const onPool = { CapacityProviderStrategy: [{ CapacityProvider: { 'Fn::ImportValue': 'Fleet:Pool' } }] };

export const pool = (InstanceType: string, MinSize = '0'): Template => ({
  Resources: {
    Instances: resource('AWS::EC2::LaunchTemplate', { LaunchTemplateData: { InstanceType } }),
    Group: resource('AWS::AutoScaling::AutoScalingGroup', {
      MinSize,
      LaunchTemplate: { LaunchTemplateId: { Ref: 'Instances' } },
    }),
    Pool: resource('AWS::ECS::CapacityProvider', {
      AutoScalingGroupProvider: { AutoScalingGroupArn: { Ref: 'Group' } },
    }),
  },
  Outputs: { Exported: { Value: { Ref: 'Pool' }, Export: { Name: 'Fleet:Pool' } } },
});
