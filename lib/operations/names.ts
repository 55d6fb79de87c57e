import { jobOperations, managementOperations } from '../../core/operations/all.ts';
import type { OperationDefinition } from '../../core/operations/operation.ts';
import { templates } from '../../core/operations/templates.ts';

/** The function of an operation among the resources of its stack. */
export interface NamedFunction {
  readonly operation: OperationDefinition;
  readonly stack: 'Platform' | 'Management';
  /** Beginning of the ids of its role and its log group, such as `JobsRun`. */
  readonly name: string;
}

/** The functions of all operations, those of the job interface first. */
export const operationFunctions: readonly NamedFunction[] = [
  ...Object.values(jobOperations).map((operation) => {
    return { operation, stack: 'Platform', name: `Jobs${operation.lambda.id}` } as const;
  }),
  ...Object.entries(managementOperations).map(([name, operation]) => {
    const parent = name in templates ? 'ManagementTemplates' : 'Management';
    return { operation, stack: 'Management', name: parent + operation.lambda.id } as const;
  }),
];
