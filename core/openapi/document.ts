/** OpenAPI 3.1 descriptions of both interfaces, made of the tables that the interfaces are made of. */
import { jobRoutes, managementRoutes, openapiRoute, type Route, stages } from '../routes.ts';
import { errorSchema, jobSchemas } from './components.ts';
import { managementSchemas } from './management-components.ts';
import { jobOperations, managementOperations, type OperationDescription } from './operations.ts';
import { openapiPath, openapiPathOf, pathItem } from './path-item.ts';
import type { Schema } from './schema.ts';

interface Interface {
  readonly title: string;
  readonly description: string;
  /** The version segment of its base address. */
  readonly stage: string;
  readonly routes: Readonly<Record<string, Route>>;
  readonly operations: Readonly<Record<string, OperationDescription>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

const everywhere = [
  'Go by `code` in errors, and ask again after a 429, ever later.',
  'A path or method that is not here is answered 404 `ROUTE_NOT_FOUND`.',
  'What API Gateway refuses for reasons of its own has the code `REQUEST_REFUSED`.',
].join(' ');

const streamed =
  'An answer that takes long begins with spaces; what fails after that is an error under the status 200.';

function servers(stage: string) {
  return [
    {
      url: `https://{api}.execute-api.{region}.amazonaws.com/${stage}`,
      description: 'As deployed; the outputs of the platform stack say the address.',
      variables: {
        api: { default: 'API_ID', description: 'The id of the REST API.' },
        region: { default: 'us-east-1' },
      },
    },
    {
      url: `http://127.0.0.1:{port}/${stage}`,
      description: 'As `npm start` runs it.',
      variables: { port: { default: '3000' } },
    },
  ];
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key: `Authorization: Bearer <API key>`. Users of the console send the access token of their sign-in in its place.',
  },
  plain: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The API key alone.' },
};
/** Of operations that no API key may call. */
const userScheme = {
  user: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of a user.' },
};

const schemesOf = (routes: Interface['routes']) => ({
  ...securitySchemes,
  ...(Object.values(routes).some(({ audience }) => audience === 'users') && userScheme),
});

function documentOf({ title, description, stage, routes, operations, schemas }: Interface): Schema {
  const paths: Record<string, Schema> = {};
  for (const [name, route] of Object.entries(routes)) {
    const described = operations[name];
    if (!described) continue;
    // Several operations may have one path, each with a method of its own.
    const path = openapiPathOf(route.path);
    paths[path] = { ...paths[path], ...pathItem(name, route, described) };
  }
  return {
    openapi: '3.1.1',
    info: { title, version: stage, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: servers(stage),
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    paths: { ...paths, [openapiRoute.path]: openapiPath },
    components: { schemas: { ...schemas, Error: errorSchema }, securitySchemes: schemesOf(routes) },
  };
}

/** The job interface, below `{serverless_url}`. */
export const jobsDocument = (): Schema =>
  documentOf({
    title: 'gpu-endpoints: jobs',
    description: `Submit jobs to endpoints, read and end them. ${everywhere} ${streamed}`,
    stage: stages.jobs,
    routes: jobRoutes,
    operations: jobOperations,
    schemas: jobSchemas,
  });

/** The management interface, below `{base_url}`. */
export const managementDocument = (): Schema =>
  documentOf({
    title: 'gpu-endpoints: management',
    description: `What is deployed. ${everywhere}`,
    stage: stages.management,
    routes: managementRoutes,
    operations: managementOperations,
    schemas: managementSchemas,
  });
