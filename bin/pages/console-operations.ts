/** The console's list of operations, which `npm run generate` writes. */
import { allOperations } from '../../core/operations/all.ts';
import type { OperationDefinition } from '../../core/operations/operation.ts';

/** Returns the source of the console's list of operations. */
export function consoleOperations(): string {
  const all = Object.entries<OperationDefinition>(allOperations);
  const ofKeys = all.flatMap(([value, { keyText }]) =>
    keyText === undefined ? [] : [{ value, description: keyText }],
  );
  const lines = ofKeys.map((choice) => `  ${JSON.stringify(choice)},\n`);
  const groups = all.map(([name, { role }]) => `  ${JSON.stringify(name)}: ${JSON.stringify(role)},\n`);
  return `/** Written by \`npm run generate\` from the definitions of the operations. */

/** Operations that a key can have. */
export const keyOperations = [\n${lines.join('')}] as const;

/** The group with the fewest rights that may call each operation. */
export const minGroups = {\n${groups.join('')}} as const;
`;
}
