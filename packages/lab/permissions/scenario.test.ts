import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { jobOperations, managementOperations } from '../../../core/operations/all.ts';
import type { OperationDefinition } from '../../../core/operations/operation.ts';

/** Calls such as `ask(stage, 'GET', `${base}/keys`)` and `fetch(`${base}/keys`, { method: 'GET' })`. */
const CALL = /'([A-Z]+)',\s*(?:`([^`]*)`|'([^']*)')|fetch\(\s*`([^`]*)`,\s*\{\s*method: '([A-Z]+)'/g;

/** Requests of the steps, as in "GET {}/{}/status/{}". */
const requests = new Set(
  globSync('packages/lab/permissions/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(CALL)].map(([, method, template, path, url, ofFetch]) => {
      const [address = ''] = (template ?? path ?? url ?? '').replaceAll(/\$\{[^/]*\}/g, '{}').split('?');
      return `${method ?? ofFetch} ${address}`;
    }),
  ),
);

const isSent = ({ methods, path }: OperationDefinition): boolean => {
  const form = path.replaceAll(/\{[^/]*\}/g, '{}');
  // A step can have the address of the endpoint in a variable.
  const addresses = [form, `{}${form}`, ...(form.startsWith('/{}/') ? [form.slice(1)] : [])];
  return methods.some((method) => addresses.some((address) => requests.has(`${method} ${address}`)));
};

it.each([
  ['job', jobOperations],
  ['management', managementOperations],
])('npm run permissions -w packages/lab calls each operation of the %s interface', (_, operations) => {
  const others = Object.entries<OperationDefinition>(operations).filter(([, operation]) => !isSent(operation));
  expect(
    others.map(
      ([name, { methods, path }]) =>
        `${name}: add a step with ${methods[0]} ${path} to packages/lab/permissions/scenario.ts`,
    ),
  ).toEqual([]);
});
