/** Tests what is derived from the definitions of operations (`core/operations/`). */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { consoleOperations } from '../../bin/pages/console-operations.ts';
import { routeTable } from '../../bin/pages/route-table.ts';
import { allOperations } from '../../core/operations/all.ts';
import { functionBundles } from '../../lib/constructs/bundle.ts';

describe('the lists of operations', () => {
  it.each([
    ['core/operations/table.ts', routeTable],
    ['packages/console/api/operations.ts', consoleOperations],
  ])('are those of the records in %s (npm run generate)', (file, generate) => {
    expect(readFileSync(file, 'utf8')).toBe(generate());
  });
});

describe('the handlers of operations', () => {
  const recorded = Object.entries(allOperations).map(([name, { lambda }]) => [lambda.handler, name] as const);

  it('exist, one for each record', () => {
    const missing = recorded.filter(([file]) => !existsSync(file));
    expect(missing.map(([file, name]) => `${name} has no handler: add ${file}`)).toEqual([]);
    const handlers = Object.values(allOperations).map(({ lambda }) => `${lambda.handler} ${lambda.export}`);
    expect(new Set(handlers).size).toBe(recorded.length);
  });

  it('are exported under the names in the records', () => {
    const unnamed = Object.entries(allOperations).filter(([, { lambda }]) => {
      const source = existsSync(lambda.handler) ? readFileSync(lambda.handler, 'utf8') : '';
      return !new RegExp(`^export const ${lambda.export ?? 'handler'} = `, 'm').test(source);
    });
    expect(unnamed.map(([name]) => name)).toEqual([]);
  });

  it('have a record each', () => {
    const files = new Set<string>(recorded.map(([file]) => file));
    const handlers = globSync('lambda/**/*.ts').filter((file) => /= http\w*\(/.test(readFileSync(file, 'utf8')));
    const others = handlers.filter((file) => file !== 'lambda/http.ts' && !file.startsWith('lambda/openapi/'));
    expect(others.length).toBeGreaterThan(20);
    expect(
      others
        .filter((file) => !files.has(file))
        .map((file) => `${file} serves no operation: add a record that names it to core/operations/`),
    ).toEqual([]);
  });
});

describe('the use-cases of operations', () => {
  const tests = globSync('test/**/*.test.ts').map((file) => readFileSync(file, 'utf8'));
  const recorded = Object.entries(allOperations).map(([name, { lambda }]) => [lambda.handler, name] as const);

  it('have a test each, which imports the use-case or its handler', () => {
    const untested = recorded.filter(([file]) => {
      if (!existsSync(file)) return false;
      const useCases = [...readFileSync(file, 'utf8').matchAll(/^import \{.*\} from '[./]*(core\/.*)';$/gm)];
      const places = [file, ...useCases.map(([, useCase = '']) => useCase)];
      return useCases.length > 0 && !tests.some((test) => places.some((place) => test.includes(`/${place}'`)));
    });
    expect(
      untested.map(([file, name]) => `${name}: add a test to test/ that imports the use-case that ${file} calls`),
    ).toEqual([]);
  });
});

/** The operations of the first version. `CHANGELOG.md` describes them in groups. */
const first = [
  ...['run', 'runsync', 'status', 'input', 'status-sync', 'stream', 'openai', 'logs', 'cancel', 'retry', 'purge-queue'],
  ...['requests', 'webhooks', 'resend', 'health', 'endpoints', 'create-template', 'list-templates', 'read-template'],
  ...['remove-template', 'update-template', 'releases', 'resume', 'list-keys', 'create-key', 'revoke-key', 'workers'],
  ...['find-job', 'session'],
];

describe('the changelog', () => {
  const changelog = readFileSync('CHANGELOG.md', 'utf8');

  it('names the request of each operation that the first version did not have', () => {
    const later = Object.entries(allOperations).filter(([name]) => !first.includes(name));
    const unnamed = later.filter(([, { methods, path }]) => !changelog.includes(`\`${methods[0]} ${path}\``));
    expect(
      unnamed.map(
        ([name, { methods, path }]) => `${name}: name \`${methods[0]} ${path}\` under Unreleased of CHANGELOG.md`,
      ),
    ).toEqual([]);
  });
});

describe('the bundles of functions', () => {
  const texts = Object.values(allOperations).map(({ summary }) => summary);
  const bundles = [...functionBundles(false)].map(([name, code]) => [name, Buffer.from(code).toString()] as const);

  it('contain no description of an operation, except the two functions that return the descriptions', () => {
    const describing = bundles.filter(([, code]) => texts.some((text) => code.includes(text))).map(([name]) => name);
    expect(describing).toEqual(['lambda/openapi/jobs.ts.js', 'lambda/openapi/management.ts.js']);
  });
});
