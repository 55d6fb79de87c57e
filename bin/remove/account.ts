/** What the removal reads from an AWS account, and what it changes there. */
import type { DeployedStack as NamedStack } from '../doctor/deployed.ts';

/** A deployed stack with its id, which also finds it after its deletion. */
export interface DeployedStack extends NamedStack {
  readonly id: string;
}

export interface StackResource {
  /**
   * Path of the construct in the CDK app, such as `Fleet/Pool-nvidia/Group/ASG`.
   * @default - not stored
   */
  readonly path?: string;
  readonly type: string;
  /** Name or id in AWS. */
  readonly name: string;
  /** Whether the resource remains when CloudFormation deletes its stack. */
  readonly isRetained: boolean;
}

export interface StackEvent {
  readonly id: string;
  /** Logical id of the resource, or the name of the stack. */
  readonly resource: string;
  readonly type: string;
  readonly name: string;
  readonly status: string;
  /**
   * Why the status is as it is.
   * @default - CloudFormation gives no reason
   */
  readonly reason?: string;
}

/** An EC2 instance of an Auto Scaling group. */
export interface Instance {
  readonly id: string;
  readonly type: string;
  /** Its state in the group, such as `InService` or `Terminating:Wait`. */
  readonly state: string;
}

/** A network interface or a security group that prevents the deletion of its VPC. No stack created it. */
export interface VpcBlocker {
  readonly id: string;
  readonly description: string;
}

export interface EndpointJobs {
  readonly id: string;
  /**
   * Name of the Auto Scaling group of the workers.
   * @default - the workers run on Fargate
   */
  readonly instanceGroup?: string;
  readonly running: number;
  readonly waiting: number;
}

export interface TableSize {
  readonly items: number;
  readonly bytes: number;
}

/**
 * Each method throws `CallFailed` if the call fails or times out. A parameter `stack` is the name or the id of a stack; a
 * deleted stack is found only by its id.
 */
export interface Account {
  /** Returns the id of the account, which has 12 digits. */
  accountId(): Promise<string>;
  /** Lists all stacks in the Region, including those of other projects, without deleted stacks. */
  stacks(): Promise<readonly DeployedStack[]>;
  /** Returns the id of the stack of that name that was deleted last, if CloudFormation still remembers one. */
  deletedStack(name: string): Promise<string | undefined>;
  /** Returns the status of the stack. CloudFormation knows a deleted stack by its id for 90 days. */
  status(stack: string): Promise<string>;
  resources(stack: string): Promise<readonly StackResource[]>;
  /**
   * Returns the events of the stack, oldest first.
   * @param after id of the last known event; by default, all events are returned
   */
  events(stack: string, after?: string): Promise<readonly StackEvent[]>;
  /** Returns the id of the newest event of the stack. */
  newestEvent(stack: string): Promise<string | undefined>;
  /** Turns off termination protection. */
  unprotect(stack: string): Promise<void>;
  /** Requests the deletion, and does not wait for it. */
  delete(stack: string): Promise<void>;
  /** Returns the instances of Auto Scaling groups, by the names of the groups that exist. */
  instances(groups: readonly string[]): Promise<ReadonlyMap<string, readonly Instance[]>>;
  /** Returns the network interfaces and security groups that prevent the deletion of the VPC. */
  vpcBlockers(vpc: string): Promise<readonly VpcBlocker[]>;
  /** Returns the endpoints in the endpoints table, with the numbers of their jobs. */
  endpoints(table: string): Promise<readonly EndpointJobs[]>;
  /** Returns the size of a table, which DynamoDB updates about every six hours, or undefined if it does not exist. */
  tableSize(table: string): Promise<TableSize | undefined>;
}
