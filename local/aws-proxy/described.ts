import type { Access } from '../iam/evaluate.ts';
import { AwsFault } from './aws-fault.ts';

/** The attributes of a table's key. */
export interface TableKey {
  readonly partition: string;
  readonly sort?: string;
}

/** By table name. */
export type Tables = ReadonlyMap<string, TableKey>;

/** The key of an item in the call log. */
export interface ItemKey {
  readonly partition: string;
  readonly sort?: string;
}

/** A request as policies and the call log describe it. */
export interface Described {
  readonly accesses: readonly Access[];
  /** Items that it names. */
  readonly keys?: readonly ItemKey[];
  /** Messages that it carries. */
  readonly messages?: number;
  /** Receipt handles of messages that it names. */
  readonly receipts?: readonly string[];
}

/** The fault of an operation that is unknown here: it cannot be authorized, so it is refused. */
export const unknownOperation = (service: string, operation: string): AwsFault =>
  new AwsFault(400, 'UnknownOperationException', `${service} ${operation} cannot be checked here, so it is refused.`);
