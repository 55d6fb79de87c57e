/** Tests the pages of the HTTP interfaces against their OpenAPI documents. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { httpPages } from '../../bin/pages/http-pages.ts';
import { jobsDocument, managementDocument } from '../../core/openapi/document.ts';

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

const documents = {
  'docs/reference/job-api.md': jobsDocument(),
  'docs/reference/management-api.md': managementDocument(),
};

describe.each(Object.entries(documents))('%s', (file, document) => {
  const page = readFileSync(file, 'utf8');
  const paths = Object.entries(document.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>);

  it('is what `npm run reference:http` writes from the OpenAPI document', async () => {
    expect(page).toBe(await httpPages[file]?.());
  });

  it('has every operation with its parameters, its error codes and an example', () => {
    const common = page.split('## Errors of all operations')[1]?.split('\n## ')[0] ?? '';
    const sections = page.split('\n### ');
    for (const [path, methods] of paths)
      for (const [method, { parameters = [], responses }] of Object.entries(methods)) {
        const request = new RegExp(
          `^\`[A-Z or]*\\b${method.toUpperCase()}\\b[A-Z or]* ${path.replaceAll(/[{}.]/g, '\\$&')}\`$`,
          'm',
        );
        const section = sections.find((each) => request.test(each)) ?? '';
        expect([path, section]).toEqual([path, expect.stringContaining('curl ')]);
        for (const { name } of parameters) expect(section).toContain(`| \`${name}\` |`);
        const codes = Object.values(responses).flatMap(({ description }) => description.match(/`[A-Z_]+`/g) ?? []);
        expect(codes.filter((code) => !section.includes(code) && !common.includes(code))).toEqual([]);
      }
  });

  it('has every field of every object', () => {
    const { schemas } = document.components as {
      schemas: Readonly<Record<string, { readonly properties?: object }>>;
    };
    for (const [name, { properties = {} }] of Object.entries(schemas)) {
      const section = page.split(`\n### \`${name}\` object\n`)[1]?.split('\n### ')[0] ?? '';
      const missing = Object.keys(properties).filter((field) => !section.includes(`| \`${field}\` |`));
      expect([name, missing]).toEqual([name, []]);
    }
  });
});
