/** The stacks of CloudFormation. */
import {
  type CloudFormationClient,
  CloudFormationServiceException,
  DeleteStackCommand,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateDescribeStackEvents,
  paginateDescribeStacks,
  paginateListStackResources,
  paginateListStacks,
  StackStatus,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { CallFailed } from '../doctor/bounded.ts';
import { deployedStack } from '../doctor/deployed.ts';
import type { Account, DeployedStack, StackEvent, StackResource } from './account.ts';

type Stacks = Pick<
  Account,
  'stacks' | 'deletedStack' | 'status' | 'resources' | 'events' | 'newestEvent' | 'unprotect' | 'delete'
>;

interface Template {
  readonly Resources?: Readonly<
    Record<string, { readonly DeletionPolicy?: string; readonly Metadata?: Readonly<Record<string, unknown>> }>
  >;
}

/** Metadata of a resource, in which the CDK stores the path of its construct. */
const PATH = 'aws:cdk:path';

async function resourcesOf(client: CloudFormationClient, StackName: string): Promise<StackResource[]> {
  const { TemplateBody = '{}' } = await client.send(new GetTemplateCommand({ StackName }));
  const { Resources = {} } = JSON.parse(TemplateBody) as Template;
  const found: StackResource[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName }))
    for (const {
      LogicalResourceId = '',
      PhysicalResourceId: name,
      ResourceType: type = '',
      ...its
    } of page.StackResourceSummaries ?? []) {
      if (name === undefined || its.ResourceStatus === 'DELETE_COMPLETE') continue;
      const { DeletionPolicy = '', Metadata = {} } = Resources[LogicalResourceId] ?? {};
      const path = Metadata[PATH];
      found.push({
        type,
        name,
        isRetained: DeletionPolicy.startsWith('Retain'),
        ...(path !== undefined && { path: String(path) }),
      });
    }
  return found;
}

async function eventsOf(client: CloudFormationClient, StackName: string, after?: string): Promise<StackEvent[]> {
  const found: StackEvent[] = [];
  // The newest event comes first.
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName }))
    for (const { EventId: id = '', LogicalResourceId: resource = '', ...its } of StackEvents) {
      if (id === after) return found.reverse();
      found.push({
        id,
        resource,
        type: its.ResourceType ?? '',
        name: its.PhysicalResourceId ?? '',
        status: its.ResourceStatus ?? '',
        ...(its.ResourceStatusReason && { reason: its.ResourceStatusReason }),
      });
    }
  return found.reverse();
}

/** Returns the reason why CloudFormation refuses a change, which names the stack or the export. */
async function reasoned<Answer>(action: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CloudFormationServiceException && error.name === 'ValidationError')
      throw new CallFailed(`${action} failed: ${error.message}`, { cause: error });
    throw error;
  }
}

/** @param call makes a call with a time limit, and turns its error into a sentence */
export function stacksOf(
  client: CloudFormationClient,
  call: <Answer>(action: string, ask: () => Promise<Answer>) => Promise<Answer>,
): Stacks {
  const change = (action: string, ask: () => Promise<unknown>) =>
    call(action, async () => void (await reasoned(action, ask)));
  return {
    stacks: () =>
      call('cloudformation:DescribeStacks', async () => {
        const found: DeployedStack[] = [];
        for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {}))
          found.push(...Stacks.map((stack) => ({ id: stack.StackId ?? '', ...deployedStack(stack) })));
        return found;
      }),

    deletedStack: (name) =>
      call('cloudformation:ListStacks', async () => {
        // The newest stack comes first.
        for await (const page of paginateListStacks({ client }, { StackStatusFilter: [StackStatus.DELETE_COMPLETE] }))
          for (const { StackName, StackId } of page.StackSummaries ?? []) if (StackName === name) return StackId;
        return undefined;
      }),

    status: (StackName) =>
      call('cloudformation:DescribeStacks', async () => {
        const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
        return stack?.StackStatus ?? StackStatus.DELETE_COMPLETE;
      }),

    resources: (stack) => call('cloudformation:ListStackResources', () => resourcesOf(client, stack)),
    events: (stack, after) => call('cloudformation:DescribeStackEvents', () => eventsOf(client, stack, after)),

    newestEvent: (StackName) =>
      call('cloudformation:DescribeStackEvents', async () => {
        const { StackEvents: [newest] = [] } = await client.send(new DescribeStackEventsCommand({ StackName }));
        return newest?.EventId;
      }),

    unprotect: (StackName) => {
      const command = new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false });
      return change('cloudformation:UpdateTerminationProtection', () => client.send(command));
    },

    delete: (StackName) => {
      const command = new DeleteStackCommand({ StackName });
      return change('cloudformation:DeleteStack', () => client.send(command));
    },
  };
}
