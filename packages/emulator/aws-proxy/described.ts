import type { Access } from '../iam/evaluate.ts';
import { AwsFault } from './aws-fault.ts';

/** The attributes of a table's primary key. */
export interface TableKey {
  readonly partition: string;
  readonly sort?: string;
}

/** Keys of the tables, by table name. */
export type Tables = ReadonlyMap<string, TableKey>;

/** The key of an item, as the call log contains it. */
export interface ItemKey {
  readonly partition: string;
  readonly sort?: string;
}

/** A request in the form that policies and the call log need. */
export interface Described {
  readonly accesses: readonly Access[];
  /** Items that the request names. */
  readonly keys?: readonly ItemKey[];
  /** Number of messages in the request. */
  readonly messages?: number;
  /** Receipt handles of the messages that the request names. */
  readonly receipts?: readonly string[];
}

/** Returns the fault for an unknown operation, which is refused because it cannot be authorized. */
export const unknownOperation = (service: string, operation: string): AwsFault =>
  new AwsFault(400, 'UnknownOperationException', `${service} ${operation} cannot be checked here, so it is refused.`);
