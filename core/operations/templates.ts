/** Operations on templates. */
import { CATEGORIES } from '../endpoints/endpoint.ts';
import { reference, type Schema } from '../openapi/schema.ts';
import { templateLimits, templateListLimits } from '../templates/limits.ts';
import type { OperationDefinitions, Parameter } from './operation.ts';
import { page } from './parameters.ts';
import type { RouteLimit } from './route.ts';

/** Limit of each operation on templates, which the contract does not define. */
const limit: RouteLimit = { per10Seconds: 500 };

const filter = (name: string, description: string, schema: Schema): Parameter => {
  return { name, in: 'query', description, schema: { type: 'string', ...schema } };
};

export const templates = {
  'create-template': {
    methods: ['POST'],
    path: '/templates',
    limit,
    scope: 'templates:write',
    role: 'admin',
    lambda: { id: 'Create', handler: 'lambda/templates/create.ts', does: 'creates a template.' },
    tag: 'Templates',
    summary: 'Creates a template',
    body: reference('NewTemplate'),
    maxBytes: templateLimits.body,
    example: { name: 'my-worker', imageName: 'registry.example.com/team/worker:1.0' },
    answer: reference('Template'),
    codes: ['SECRETS_NOT_PERMITTED', 'TEMPLATE_NAME_TAKEN'],
  },
  'list-templates': {
    methods: ['GET'],
    path: '/templates',
    limit,
    scope: 'templates:read',
    role: 'viewer',
    lambda: { id: 'List', handler: 'lambda/templates/list.ts', does: 'lists templates.' },
    tag: 'Templates',
    summary: 'Lists the templates that the owner of the caller can use',
    parameters: [
      filter('category', 'Returns only templates of this category.', { enum: CATEGORIES }),
      filter('isPublic', 'Returns only public (`true`) or only private (`false`) templates.', {
        enum: ['true', 'false'],
      }),
      filter('isServerless', 'Returns only templates of workers (`true`) or only of Pods (`false`).', {
        enum: ['true', 'false'],
      }),
      ...page('templates', templateListLimits.page),
    ],
    answer: reference('TemplateList'),
  },
  'read-template': {
    methods: ['GET'],
    path: '/templates/{template}',
    limit,
    scope: 'templates:read',
    role: 'viewer',
    lambda: { id: 'Read', handler: 'lambda/templates/read.ts', does: 'reads a template.' },
    tag: 'Templates',
    summary: 'Reads a template',
    answer: reference('TemplateInUse'),
    codes: ['TEMPLATE_NOT_FOUND'],
  },
  'remove-template': {
    methods: ['DELETE'],
    path: '/templates/{template}',
    limit,
    scope: 'templates:write',
    role: 'admin',
    lambda: {
      id: 'Remove',
      handler: 'lambda/templates/remove.ts',
      does: 'deletes a template that no endpoint uses.',
    },
    tag: 'Templates',
    summary: 'Deletes a template that no endpoint uses',
    answer: reference('RemovedTemplate'),
    codes: ['TEMPLATE_NOT_FOUND', 'TEMPLATE_READ_ONLY', 'TEMPLATE_IN_USE'],
  },
  'update-template': {
    methods: ['POST'],
    path: '/templates/{template}/update',
    limit,
    scope: 'templates:write',
    role: 'admin',
    lambda: { id: 'Update', handler: 'lambda/templates/update.ts', does: 'changes a template.' },
    tag: 'Templates',
    summary: 'Updates a template and rolls it out to the endpoints that use it',
    body: reference('TemplateChanges'),
    maxBytes: templateLimits.body,
    example: { imageName: 'registry.example.com/team/worker:1.1' },
    answer: reference('Template'),
    codes: [
      ...(['SECRETS_NOT_PERMITTED', 'TEMPLATE_NOT_FOUND', 'TEMPLATE_READ_ONLY', 'TEMPLATE_NAME_TAKEN'] as const),
      'DECLARED_IN_GIT',
    ],
  },
} satisfies OperationDefinitions;
