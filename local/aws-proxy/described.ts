import type { Access } from '../iam/evaluate.ts';
import { AwsFault } from './aws-fault.ts';

/** The attributes of a table's key. */
export interface TableKey {
  readonly partition: string;
  readonly sort?: string;
}

/** By table name. */
export type Tables = ReadonlyMap<string, TableKey>;

/** An item as the call log names it. */
export interface ItemKey {
  readonly partition: string;
  readonly sort?: string;
}

/** What a request asks for, as the policies and the call log see it. */
export interface Described {
  readonly accesses: readonly Access[];
  /** Items that it names. */
  readonly keys?: readonly ItemKey[];
  /** Messages that it carries. */
  readonly messages?: number;
  /** Receipt handles of messages that it names. */
  readonly receipts?: readonly string[];
}

/** What is not known cannot be checked, and so is not passed on. */
export const unknownOperation = (service: string, operation: string): AwsFault =>
  new AwsFault(400, 'UnknownOperationException', `${service} ${operation} cannot be checked here, so it is refused.`);
