/** Stacks, Auto Scaling groups and a network behind a server that answers as AWS does, for the command that removes them. */
import { marshall } from '@aws-sdk/util-dynamodb';
import { endpointConfig } from '../../support/endpoint-config.ts';
import { type Answers, fault, json, type Stub, startStub } from '../doctor/stub.ts';

interface Resource {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly path?: string;
  readonly isRetained?: boolean;
}

/** How a deletion ends: with all resources deleted, or with a reason for a resource. */
export type Outcome = 'deleted' | { readonly resource: string; readonly reason: string };

export interface CloudStack {
  readonly name: string;
  readonly description: string;
  status: string;
  isProtected: boolean;
  readonly outputs: Readonly<Record<string, string>>;
  readonly resources: readonly Resource[];
  /** Outcomes of deletions; the last one remains. */
  readonly outcomes: Outcome[];
  readonly events: Record<string, string>[];
}

export interface CloudEndpoint {
  readonly id: string;
  readonly instanceGroup?: string;
  readonly inQueue?: number;
  readonly inProgress?: number;
}

const ACCOUNT = '123456789012';
export const REGION = 'eu-west-1';
/** The name of the endpoints table. */
export const TABLE = 'endpoints-table';

type Value = string | number | boolean | undefined | readonly Value[] | { readonly [name: string]: Value };

/** Writes a value as in answers of the query protocol, whose lists consist of members, or of items in EC2. */
function xml(value: Value, element: 'member' | 'item'): string {
  if (Array.isArray(value)) return value.map((one) => `<${element}>${xml(one, element)}</${element}>`).join('');
  if (typeof value !== 'object') return String(value ?? '').replaceAll('<', '&lt;');
  return Object.entries(value)
    .map(([name, inner]) => (inner === undefined ? '' : `<${name}>${xml(inner, element)}</${name}>`))
    .join('');
}

const result = (operation: string, value: Value) => ({
  body: `<${operation}Response><${operation}Result>${xml(value, 'member')}</${operation}Result></${operation}Response>`,
});
const ofEc2 = (operation: string, value: Value) => ({
  body: `<${operation}Response>${xml(value, 'item')}</${operation}Response>`,
});
const refusal = (message: string) => ({
  status: 400,
  body: `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>${message}</Message></Error></ErrorResponse>`,
});

const table = (id: string, name: string): Resource => ({ id, type: 'AWS::DynamoDB::Table', name, isRetained: true });
const pool = (name: string): Resource => ({
  id: `Pool${name}Group`,
  type: 'AWS::AutoScaling::AutoScalingGroup',
  name: `group-${name}`,
  path: `Fleet/Pool-${name}/Group/ASG`,
});

export class Cloud {
  readonly stacks: CloudStack[] = [];
  endpoints: CloudEndpoint[] = [];
  /** Numbers of instances by group: each look takes the first, and the last one remains. */
  readonly instances = new Map<string, number[]>();
  /** Network interfaces and security groups that no stack has created, by their ids. */
  readonly left = new Map<string, string>();
  /** The changes that were requested, in their order. */
  readonly changes: string[] = [];
  /** The most stacks that were being deleted at the same time. */
  maxAtOnce = 0;
  /** Error with which DynamoDB answers questions about a table. */
  tableError: string | undefined;
  /** Whether deletions never end. */
  isStuck = false;
  readonly #stub: Stub;

  constructor(stub: Stub) {
    this.#stub = stub;
    stub.answer(this.#answers());
  }

  /** The operations that the server answers: all that the command calls. */
  get operations(): string[] {
    return Object.keys(this.#answers());
  }

  get url(): string {
    return this.#stub.url;
  }

  add(id: string, its: Partial<CloudStack> = {}, deployment = 'gpu-endpoints'): CloudStack {
    const stack: CloudStack = {
      name: `${deployment}-${id}`,
      description: id.startsWith('Endpoint-') ? `gpu-endpoints: endpoint ${id.slice(9)}` : `gpu-endpoints: ${id}`,
      status: 'CREATE_COMPLETE',
      isProtected: false,
      outputs: {},
      resources: [],
      outcomes: ['deleted'],
      events: [],
      ...its,
    };
    this.stacks.push(stack);
    return stack;
  }

  /** Adds a whole deployment with a pool. */
  addDeployment(endpoints: readonly string[] = ['echo'], deployment = 'gpu-endpoints'): void {
    const add = (id: string, its: Partial<CloudStack> = {}) => this.add(id, its, deployment);
    const vpc = { id: 'Network', type: 'AWS::EC2::VPC', name: 'vpc-1' };
    add('Storage', { isProtected: true, resources: [table('Jobs', 'jobs-table')] });
    add('Fleet', { resources: [pool('nvidia'), vpc] });
    add('Platform', { outputs: { EndpointsTable: TABLE } });
    add('Management');
    add('Templates');
    for (const id of endpoints) add(`Endpoint-${id}`);
    this.instances.set('group-nvidia', [0]);
  }

  stack(id: string): CloudStack {
    const found = this.stacks.find(({ name }) => name.endsWith(`-${id}`));
    if (!found) throw new Error(`There is no stack ${id}.`);
    return found;
  }

  stop(): Promise<void> {
    return this.#stub.stop();
  }

  #named(name = ''): CloudStack {
    const found = this.stacks.find((stack) => name === stack.name || name === idOf(stack));
    if (!found) throw new Error(`There is no stack ${name}.`);
    return found;
  }

  #event(stack: CloudStack, resource: Resource | undefined, status: string, reason?: string): void {
    stack.events.push({
      EventId: `${stack.name}-${stack.events.length}`,
      StackId: idOf(stack),
      StackName: stack.name,
      LogicalResourceId: resource?.id ?? stack.name,
      PhysicalResourceId: resource?.name ?? idOf(stack),
      ResourceType: resource?.type ?? 'AWS::CloudFormation::Stack',
      ResourceStatus: status,
      ...(reason && { ResourceStatusReason: reason }),
      Timestamp: '2026-01-01T00:00:00Z',
    });
  }

  /** Ends the deletion of a stack. */
  #end(stack: CloudStack): void {
    const [outcome = 'deleted'] = stack.outcomes.length > 1 ? stack.outcomes.splice(0, 1) : stack.outcomes;
    for (const resource of stack.resources)
      if (outcome === 'deleted')
        this.#event(stack, resource, resource.isRetained ? 'DELETE_SKIPPED' : 'DELETE_COMPLETE');
      else if (outcome.resource === resource.id) this.#event(stack, resource, 'DELETE_FAILED', outcome.reason);
    stack.status = outcome === 'deleted' ? 'DELETE_COMPLETE' : 'DELETE_FAILED';
    this.#event(stack, undefined, stack.status);
  }

  #delete({ StackName }: Readonly<Record<string, string>>) {
    const stack = this.#named(StackName);
    if (stack.isProtected) return refusal(`Stack [${stack.name}] cannot be deleted while TerminationProtection is on`);
    this.changes.push(`delete ${stack.name}`);
    stack.status = 'DELETE_IN_PROGRESS';
    this.#event(stack, undefined, stack.status);
    const now = this.stacks.filter(({ status }) => status === 'DELETE_IN_PROGRESS').length;
    this.maxAtOnce = Math.max(this.maxAtOnce, now);
    return result('DeleteStack', {});
  }

  #describe(input: Readonly<Record<string, string>>) {
    const present = this.stacks.filter(({ status }) => status !== 'DELETE_COMPLETE');
    const described = 'StackName' in input ? [this.#named(input.StackName)] : present;
    const answer = result('DescribeStacks', {
      Stacks: described.map((stack) => ({
        StackId: idOf(stack),
        StackName: stack.name,
        Description: stack.description,
        StackStatus: stack.status,
        CreationTime: '2026-01-01T00:00:00Z',
        EnableTerminationProtection: stack.isProtected,
        Outputs: Object.entries(stack.outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
      })),
    });
    // A deletion ends after the first look at it.
    if ('StackName' in input && !this.isStuck)
      for (const stack of described) if (stack.status === 'DELETE_IN_PROGRESS') this.#end(stack);
    return answer;
  }

  #group(name: string) {
    const numbers = this.instances.get(name) ?? [0];
    const [number = 0] = numbers.length > 1 ? numbers.splice(0, 1) : numbers;
    const Instances = Array.from({ length: number }, (_, n) => ({
      InstanceId: `i-${n + 1}`,
      InstanceType: 'g6.xlarge',
      LifecycleState: 'InService',
    }));
    return { AutoScalingGroupName: name, Instances };
  }

  #answers(): Answers {
    return {
      GetCallerIdentity: () => result('GetCallerIdentity', { Account: ACCOUNT }),
      DescribeStacks: (input) => this.#describe(input),
      DeleteStack: (input) => this.#delete(input),
      UpdateTerminationProtection: ({ StackName }) => {
        const stack = this.#named(StackName);
        this.changes.push(`unprotect ${stack.name}`);
        stack.isProtected = false;
        return result('UpdateTerminationProtection', { StackId: idOf(stack) });
      },
      ListStacks: () =>
        result('ListStacks', {
          StackSummaries: this.stacks
            .filter(({ status }) => status === 'DELETE_COMPLETE')
            .map((stack) => ({ StackId: idOf(stack), StackName: stack.name, StackStatus: stack.status })),
        }),
      GetTemplate: ({ StackName }) => {
        const Resources = this.#named(StackName).resources.map(({ id, isRetained, path }) => [
          id,
          { ...(isRetained && { DeletionPolicy: 'RetainExceptOnCreate' }), Metadata: { 'aws:cdk:path': path } },
        ]);
        return result('GetTemplate', { TemplateBody: JSON.stringify({ Resources: Object.fromEntries(Resources) }) });
      },
      ListStackResources: ({ StackName }) =>
        result('ListStackResources', {
          StackResourceSummaries: this.#named(StackName).resources.map(({ id, type, name }) => ({
            LogicalResourceId: id,
            PhysicalResourceId: name,
            ResourceType: type,
            ResourceStatus: 'CREATE_COMPLETE',
          })),
        }),
      DescribeStackEvents: ({ StackName }) =>
        result('DescribeStackEvents', { StackEvents: this.#named(StackName).events.toReversed() }),
      DescribeAutoScalingGroups: (input) => {
        const names = Object.entries(input).filter(([name]) => name.startsWith('AutoScalingGroupNames.member.'));
        return result('DescribeAutoScalingGroups', { AutoScalingGroups: names.map(([, name]) => this.#group(name)) });
      },
      DescribeNetworkInterfaces: () =>
        ofEc2('DescribeNetworkInterfaces', {
          networkInterfaceSet: this.#leftAs('eni', 'networkInterfaceId', 'description'),
        }),
      DescribeSecurityGroups: () =>
        ofEc2('DescribeSecurityGroups', { securityGroupInfo: this.#leftAs('sg', 'groupId', 'groupName') }),
      DescribeTable: () =>
        this.tableError === undefined
          ? json({ Table: { ItemCount: 1_234, TableSizeBytes: 56_000 } })
          : fault(this.tableError),
      Scan: () => json({ Items: this.endpoints.flatMap(itemsOf) }),
    };
  }

  #leftAs(kind: string, id: string, description: string) {
    const those = [...this.left].filter(([name]) => name.startsWith(`${kind}-`));
    return those.map(([name, text]) => ({ [id]: name, [description]: text }));
  }
}

const idOf = ({ name }: CloudStack) => `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/${name}/1`;

/** Returns the items of an endpoint in the endpoints table. */
function itemsOf({ id, instanceGroup, inQueue = 0, inProgress = 0 }: CloudEndpoint) {
  const { id: endpoint, ...config } = endpointConfig(id, { ...(instanceGroup !== undefined && { instanceGroup }) });
  return [
    marshall({ endpoint, item: 'config', ...config }),
    marshall({ endpoint, item: 'counters#echo#0', inQueue, inProgress }),
  ];
}

export const startCloud = async (): Promise<Cloud> => new Cloud(await startStub());
