/** `npm run generate`: generates the OpenAPI documents of both interfaces from the code. */
import { jobsDocument, managementDocument } from '../core/openapi/document.ts';
import { runGenerator } from './pages/generator.ts';

const textOf = (document: object) => `${JSON.stringify(document, undefined, 2)}\n`;

runGenerator(
  {
    command: 'generate',
    files: {
      'docs/reference/openapi/jobs.json': () => textOf(jobsDocument()),
      'docs/reference/openapi/management.json': () => textOf(managementDocument()),
    },
  },
  process.argv.slice(2),
);
