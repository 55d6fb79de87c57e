/** OpenAPI 3.1 descriptions of both interfaces, generated from the tables that also define the interfaces. */
import { jobOperations, managementOperations } from '../operations/all.ts';
import type { OperationDefinitions } from '../operations/operation.ts';
import { openapiRoute, stages } from '../operations/routes.ts';
import { errorSchema, jobSchemas } from './components.ts';
import { managementSchemas } from './management-components.ts';
import { openapiPath, openapiPathOf, pathItem } from './path-item.ts';
import type { Schema } from './schema.ts';
import { tagsOf } from './tags.ts';

interface Interface {
  readonly title: string;
  readonly description: string;
  /** Version segment of the base address. */
  readonly stage: string;
  readonly operations: OperationDefinitions;
  readonly schemas: Readonly<Record<string, Schema>>;
}

const everywhere = [
  'Use `code` to distinguish errors. Retry after a 429 with increasing delays.',
  'An unknown path or method returns 404 `ROUTE_NOT_FOUND`.',
  'Requests that API Gateway itself refuses have the code `REQUEST_REFUSED`.',
].join(' ');

const streamed =
  'A slow response begins with the status 200 and spaces. A later failure is an error in the body of that response.';

function servers(stage: string) {
  return [
    {
      url: `https://{api}.execute-api.{region}.amazonaws.com/${stage}`,
      description: 'The deployed service. The outputs of the platform stack contain the address.',
      variables: {
        api: { default: 'API_ID', description: 'Id of the REST API.' },
        region: { default: 'us-east-1' },
      },
    },
    {
      url: `http://127.0.0.1:{port}/${stage}`,
      description: 'The local service of `npm start`.',
      variables: { port: { default: '3000' } },
    },
  ];
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: `Authorization: Bearer <API key>`. Users of the console send their access token instead.',
  },
  plain: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The API key without `Bearer`.' },
};
/** Security scheme of operations that API keys may not call. */
const userScheme = {
  user: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Access token of a user.' },
};

const schemesOf = (operations: OperationDefinitions) => ({
  ...securitySchemes,
  ...(Object.values(operations).some(({ audience }) => audience === 'users') && userScheme),
});

function documentOf({ title, description, stage, operations, schemas }: Interface): Schema {
  const paths: Record<string, Schema> = {};
  for (const [name, operation] of Object.entries(operations)) {
    // Several operations can have the same path with different methods.
    const path = openapiPathOf(operation.path);
    paths[path] = { ...paths[path], ...pathItem(name, operation) };
  }
  return {
    openapi: '3.1.1',
    info: { title, version: stage, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: servers(stage),
    tags: tagsOf(Object.values(operations)),
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    paths: { ...paths, [openapiRoute.path]: openapiPath },
    components: { schemas: { ...schemas, Error: errorSchema }, securitySchemes: schemesOf(operations) },
  };
}

/** Returns the description of the job interface, below `{serverless_url}`. */
export const jobsDocument = (): Schema =>
  documentOf({
    title: 'gpu-endpoints: jobs',
    description: `Submit, read and cancel jobs. ${everywhere} ${streamed}`,
    stage: stages.jobs,
    operations: jobOperations,
    schemas: jobSchemas,
  });

/** Returns the description of the management interface, below `{base_url}`. */
export const managementDocument = (): Schema =>
  documentOf({
    title: 'gpu-endpoints: management',
    description: `Manage endpoints, templates and API keys. ${everywhere}`,
    stage: stages.management,
    operations: managementOperations,
    schemas: managementSchemas,
  });
