/** Why what makes and changes templates may do what it may do. */
import type { Reason } from './reasons.ts';

export const templateReasons: readonly Reason[] = [
  {
    roles: ['Platform/ManagementTemplatesCreate', 'Platform/ManagementTemplatesUpdate'],
    actions: ['dynamodb:PutItem'],
    resources: ['templates table'],
    why: 'Stores the template, and its name, so that there is one of each.',
  },
  {
    roles: ['Platform/ManagementTemplatesCreate', 'Platform/ManagementTemplatesUpdate'],
    actions: ['secretsmanager:DescribeSecret'],
    resources: ['secrets of variables', 'logins of registries'],
    why: 'Sees whether what a template names is there; it cannot be read by that.',
  },
  {
    roles: ['Platform/ManagementTemplatesList'],
    actions: ['dynamodb:Query'],
    resources: ['templates table'],
    why: 'Lists the templates.',
  },
  {
    roles: [
      'Platform/ManagementTemplatesList',
      'Platform/ManagementTemplatesRead',
      'Platform/ManagementTemplatesUpdate',
    ],
    actions: ['dynamodb:BatchGetItem'],
    resources: ['templates table'],
    why: 'Reads how long workers of the templates ran.',
  },
  {
    roles: [
      'Platform/ManagementTemplatesRead',
      'Platform/ManagementTemplatesUpdate',
      'Platform/ManagementTemplatesRemove',
    ],
    actions: ['dynamodb:GetItem'],
    resources: ['templates table'],
    why: 'Reads the template, and who uses it.',
  },
  {
    roles: ['Platform/ManagementTemplatesUpdate'],
    actions: ['dynamodb:DeleteItem'],
    resources: ['templates table'],
    why: 'Frees the name that a template had.',
  },
  {
    roles: ['Platform/ManagementTemplatesRemove'],
    actions: ['dynamodb:PutItem', 'dynamodb:DeleteItem'],
    resources: ['templates table'],
    why: 'Deletes the template and what stands beside it, and puts it where it is kept for a while.',
  },
  {
    roles: ['Platform/ManagementTemplatesRead', 'Platform/ManagementTemplatesUpdate'],
    actions: ['dynamodb:Query'],
    resources: ['endpoints table'],
    why: 'Reads the endpoints that use the template: how far it is rolled out to them, or what they can honour.',
  },
  {
    roles: ['Platform/DeclaredTemplatesDeclare', 'Platform/DeclaredTemplatesUse'],
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
    resources: ['templates table'],
    why: 'Writes a template that a file declares, or that the file of an endpoint carries, with its name, and the version that an endpoint pins; deletes them when the file goes.',
  },
  {
    roles: ['Platform/DeclaredTemplatesUse'],
    actions: ['dynamodb:ConditionCheckItem', 'dynamodb:UpdateItem'],
    resources: ['templates table'],
    why: 'Notes that an endpoint uses a template, if it is still there, or uses it no more.',
  },
];
