/** The part of the definitions of operations that functions and the ingress need at run time, as a module. */
import { jobOperations, managementOperations } from '../../core/operations/all.ts';
import { BUFFERED, type OperationDefinition, type OperationDefinitions } from '../../core/operations/operation.ts';
import type { Route } from '../../core/operations/route.ts';

const routeOf = ({ methods, path, limit, streamed, anyHeader, scope, audience }: OperationDefinition): Route => ({
  methods,
  path,
  limit,
  ...(streamed && { streamed }),
  ...(anyHeader && { anyHeader }),
  ...(scope && { scope }),
  ...(audience && { audience }),
});

/** Returns the lines of an object with a value for each operation, except those for which it is undefined. */
function objectLiteral<Value>(
  operations: OperationDefinitions,
  read: (operation: OperationDefinition) => Value | undefined,
): string {
  const entries = Object.entries(operations).flatMap(([name, operation]) => {
    const value = read(operation);
    return value === undefined ? [] : [`  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`];
  });
  return `{\n${entries.join('')}} as const`;
}

/** Returns the source of `core/operations/table.ts`. */
export function routeTable(): string {
  const all = { ...jobOperations, ...managementOperations };
  const waiting = Object.entries<OperationDefinition>(jobOperations).flatMap(([name, { waits }]) =>
    waits ? [name] : [],
  );
  return `/**
 * Written by \`npm run generate\` from the definitions of the operations, which are beside this file. Functions and the
 * ingress import only this module, so that their bundles contain no descriptions.
 */
import type { Route } from './route.ts';

/** Routes of the job interface, below \`{serverless_url}\`. */
export const jobRoutes = ${objectLiteral(jobOperations, routeOf)} satisfies Readonly<Record<string, Route>>;

/** Routes of the management interface, below \`{base_url}\`. */
export const managementRoutes = ${objectLiteral(managementOperations, routeOf)} satisfies Readonly<Record<string, Route>>;

/** The lowest role of a user of the console that may call each operation. */
export const minRoles = ${objectLiteral(all, ({ role }) => role)};

/** Operations whose calls can wait. API Gateway passes them to the ingress, if the deployment has one. */
export const waitingOperations = ${JSON.stringify(waiting)} as const;

/** Bytes from which the distribution sends a body directly to the ingress. */
export const minDirectBytes = ${objectLiteral(jobOperations, (operation) => operation.minDirectBytes)};

/**
 * Timeouts of the functions of operations whose concurrent calls are counted, in milliseconds. A function that crashes
 * holds its slot for no longer than this.
 */
export const callTimeouts = ${objectLiteral(all, ({ limit, lambda }) =>
    limit.exact && limit.concurrent !== undefined ? (lambda.timeout ?? BUFFERED) : undefined,
  )};
`;
}
