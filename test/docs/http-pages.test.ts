/** Tests the pages of the HTTP interfaces against their OpenAPI documents. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { httpPage } from '../../bin/pages/http.ts';
import type { OpenApi } from '../../bin/pages/http-document.ts';
import { httpPages } from '../../bin/pages/http-pages.ts';
import { jobsDocument, managementDocument } from '../../core/openapi/document.ts';
import { pathItem } from '../../core/openapi/path-item.ts';
import { count, exactObject, reference, type Schema } from '../../core/openapi/schema.ts';
import { health } from '../../core/operations/health.ts';

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

  it('is what `npm run generate` writes from the OpenAPI document', async () => {
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

describe('the page of an interface', () => {
  const pageWith = (answer: Schema) => {
    const paths = { '/{endpoint}/health': pathItem('health', { ...health.health, answer }) };
    const document = { ...jobsDocument(), paths } as unknown as OpenApi;
    return httpPage({ title: 'A', file: 'a.json', base: 'A', guide: '', document }).split('## Objects')[0];
  };

  it('has the fields of an answer that is described in its operation', () => {
    const counts = exactObject({ waiting: count('Number of jobs.'), oldest: exactObject({ age: count('In ms.') }) }, [
      'oldest',
    ]);
    expect(pageWith(counts)).toContain(`| field | type | required | meaning |
| --- | --- | --- | --- |
| \`waiting\` | integer | yes | Number of jobs. |
| \`oldest\` | object | no |  |
| \`oldest.age\` | integer | yes | In ms. |`);
    expect(pageWith({ type: 'array', items: counts })).toContain('| `[].waiting` | integer | yes |');
  });

  it('links to an answer that several operations have', () => {
    expect(pageWith(reference('Health'))).not.toContain('| field | type |');
  });
});
