import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { BUFFERED, type OperationDefinition } from '../../core/operations/operation.ts';
import { ServiceFunction } from '../constructs/function.ts';

/** Returns names as a list that ends with "and". */
const listed = (names: readonly string[]) =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter((part) => part !== '').join(' and ');

/** Returns the description of the function of an operation in Lambda. */
const descriptionOf = ({ methods, path, lambda }: OperationDefinition): string =>
  `${listed(methods)} ${path}: ${lambda.does}`;

/** Creates the function of each operation from its record, without grants. */
export function createFunctions<Name extends string>(
  scope: Construct,
  operations: Readonly<Record<Name, OperationDefinition>>,
): Readonly<Record<Name, ServiceFunction>> {
  const created = Object.entries<OperationDefinition>(operations).map(([name, operation]) => [
    name,
    new ServiceFunction(scope, operation.lambda.id, {
      entry: operation.lambda.handler,
      export: operation.lambda.export,
      description: descriptionOf(operation),
      timeout: Duration.millis(operation.lambda.timeout ?? BUFFERED),
    }),
  ]);
  return Object.fromEntries(created) as Record<Name, ServiceFunction>;
}

/** Gives the function of each operation the access that it needs. */
export type Access<Name extends string> = Readonly<Record<Name, (server: ServiceFunction) => void>>;
