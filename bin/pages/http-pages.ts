/** The pages of the HTTP interfaces, by their paths. */
import { jobsDocument, managementDocument } from '../../core/openapi/document.ts';
import type { GeneratedFiles } from './generator.ts';
import { httpPage } from './http.ts';
import type { OpenApi } from './http-document.ts';

/** The documents are made of schemas without fixed types, so their shape is that of `test/openapi`. */
const read = (document: object) => document as OpenApi;

export const httpPages: GeneratedFiles = {
  'docs/reference/job-api.md': () =>
    httpPage({
      title: 'Job interface',
      file: 'jobs.json',
      base: 'SERVERLESS_URL',
      guide: '[Call an endpoint](../guides/calling.md) shows how to use it.',
      document: read(jobsDocument()),
    }),
  'docs/reference/management-api.md': () =>
    httpPage({
      title: 'Management interface',
      file: 'management.json',
      base: 'BASE_URL',
      guide: '[Use templates](../guides/templates.md) shows how to use templates.',
      document: read(managementDocument()),
    }),
};
