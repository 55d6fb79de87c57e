import type { Construct } from 'constructs';
import { jobOperations } from '../../core/operations/all.ts';
import type { OperationDefinition } from '../../core/operations/operation.ts';
import type { waitingOperations } from '../../core/operations/table.ts';
import type { ServiceFunction } from '../constructs/function.ts';
import { createFunctions } from '../operations/functions.ts';

type JobOperation = keyof typeof jobOperations;
type WaitingOperation = (typeof waitingOperations)[number];

/** The functions of the job interface. Operations that the ingress serves have no function. */
export type JobFunctions = Readonly<
  Record<Exclude<JobOperation, WaitingOperation>, ServiceFunction> & Partial<Record<WaitingOperation, ServiceFunction>>
>;

/**
 * Creates one function for each operation of the job interface that the ingress does not serve, without grants.
 * @param served operations that the ingress serves
 */
export function createJobFunctions(scope: Construct, served: readonly WaitingOperation[]): JobFunctions {
  const all = Object.entries<OperationDefinition>(jobOperations);
  const own = all.filter(([operation]) => !served.some((one) => one === operation));
  return createFunctions(scope, Object.fromEntries(own) as Record<keyof JobFunctions, OperationDefinition>);
}
