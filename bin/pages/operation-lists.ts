/** Lists of operations in files that `npm run generate` writes: of the console, and in pages that are otherwise handwritten. */
import { readFileSync } from 'node:fs';
import { allOperations } from '../../core/operations/all.ts';
import type { OperationDefinition } from '../../core/operations/operation.ts';
import { descriptionOf } from '../../lib/operations/functions.ts';
import { operationFunctions } from '../../lib/operations/names.ts';
import { table } from './aligned-table.ts';
import { code } from './markdown.ts';

const OPENING = '<!-- operations: written by `npm run generate` -->';
const CLOSING = '<!-- /operations -->';

/** Returns the page with this text between the two comments. */
function withSection(file: string, text: string): string {
  const page = readFileSync(file, 'utf8');
  const [begin, end] = [page.indexOf(OPENING), page.indexOf(CLOSING)];
  if (begin < 0 || end < begin) throw new Error(`${file} has no section between ${OPENING} and ${CLOSING}.`);
  return `${page.slice(0, begin + OPENING.length)}\n\n${text}\n\n${page.slice(end)}`;
}

/** Returns the page of metrics with the log groups of the functions of operations. */
export function metricsPage(file: string): string {
  const rows = operationFunctions.map(({ operation, stack, name }) => {
    const [request = '', purpose = ''] = descriptionOf(operation).split(/: (.*)/s);
    const exists = operation.waits ? 'without the ingress' : 'always';
    return [code(`${name}Logs`), `${code(request)}: ${purpose}`, code(stack), exists];
  });
  return withSection(file, table(['log group', 'function', 'stack', 'exists'], 4, rows));
}

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
