/** Schemas of templates: of their creation, of their changes, and of their records. */
import { CATEGORIES } from '../endpoints/endpoint.ts';
import { callerKinds } from '../operations/routes.ts';
import { envNamePattern, maxEnvNameLength } from '../templates/env-name.ts';
import { templateLimits } from '../templates/limits.ts';
import { maxPathBytes } from '../templates/mount-path.ts';
import { declaredFields } from '../templates/template.ts';
import { count, exactObject, reference, type Schema, text, withDefaultsDescribed } from './schema.ts';

const id = text('Id of the template.');

/** Characters of patterns. Some validators of JSON Schema know no classes of Unicode such as `\p{Cc}`. */
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
const LINE = `${CONTROL}\\u2028\\u2029`;
/** Any text without zero characters, at which programs in C end a text. */
const TEXT = '^[^\\u0000]*$';
/** A number from 1 to 65535. */
const PORT = '([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';

const gigabytes = (description: string, { min, max, default: usual }: Record<'min' | 'max' | 'default', number>) => {
  return { type: 'integer', minimum: min, maximum: max, default: usual, description };
};
const flag = (description: string) => ({ type: 'boolean', default: false, description });
const stringList = (description: string): Schema => {
  return {
    type: 'array',
    items: { type: 'string', pattern: TEXT },
    maxItems: templateLimits.args,
    default: [],
    description,
  };
};

/** Fields that a client can change. */
const changeable: Readonly<Record<string, Schema>> = {
  name: text('Name, unique among all templates regardless of case and spelling.', {
    minLength: 1,
    maxLength: templateLimits.name.maxLength,
    pattern: `^[^${LINE}]*[^${LINE}\\s][^${LINE}]*$`,
  }),
  imageName: text('Container image of the workers.', { minLength: 1, maxLength: templateLimits.imageName }),
  containerDiskInGb: gigabytes('Disk of a worker in GB, empty at its start.', templateLimits.containerDiskInGb),
  volumeInGb: gigabytes('Persistent volume in GB; 0 means no volume.', templateLimits.volumeInGb),
  volumeMountPath: text('Absolute path of the volume in the container, not a folder of the system.', {
    maxLength: maxPathBytes,
    pattern: `^/[^:${CONTROL}]+$`,
    default: '/workspace',
  }),
  containerRegistryAuthId: text('Id of the registry login that pulls the image; empty for none.', { default: '' }),
  dockerEntrypoint: stringList("Replaces the image's ENTRYPOINT; empty to use the image's own."),
  dockerStartCmd: stringList("Replaces the image's CMD; empty to use the image's own."),
  env: {
    type: 'object',
    additionalProperties: { type: 'string', pattern: TEXT },
    propertyNames: { pattern: envNamePattern, maxLength: maxEnvNameLength },
    maxProperties: templateLimits.env,
    default: {},
    description: 'Environment variables. A value `{{secrets:NAME}}` refers to a secret.',
  },
  ports: {
    type: 'array',
    items: { type: 'string', pattern: `^${PORT}/(http|tcp)$` },
    maxItems: templateLimits.ports,
    uniqueItems: true,
    default: [],
    description: 'Ports that the container listens on, each with one protocol.',
  },
  isPublic: flag('Whether other owners can use the template.'),
  readme: text('Description in Markdown.', { default: '', maxLength: templateLimits.readme, pattern: TEXT }),
};

/** Reason for a change. */
export const changeReason: Schema = text(
  'Reason for a change of fields that a file declares, which their drift returns.',
  {
    minLength: 1,
    maxLength: templateLimits.reason,
    pattern: '^[^\\u0000]*[^\\u0000\\s][^\\u0000]*$',
  },
);

/** Fields that are set at creation and cannot be changed. */
const fixed: Readonly<Record<string, Schema>> = {
  category: { type: 'string', enum: CATEGORIES, default: 'NVIDIA', description: 'Kind of processors of the workers.' },
  isServerless: flag('Whether the template is for workers; otherwise it is for Pods.'),
};

/** Any value of a declared field. */
const declaredValue: Schema = {
  anyOf: [
    { type: 'string' },
    { type: 'integer' },
    { type: 'array', items: { type: 'string' } },
    { type: 'object', additionalProperties: { type: 'string' } },
  ],
  description: 'Value of the field in the file, or its default.',
};

const drift = exactObject(
  {
    field: { type: 'string', enum: declaredFields, description: 'Field of the template, which has its current value.' },
    declared: declaredValue,
    by: {
      ...exactObject({
        kind: { type: 'string', enum: callerKinds, description: 'Whether an API key or a user made the change.' },
        id: text('Id of the key or of the user.'),
        name: text('Name of the key or of the user at the time of the change.'),
      }),
      description: 'The caller who changed the field last.',
    },
    at: { ...text('Time at which the field was changed last.'), format: 'date-time' },
    reason: text('Reason that the caller gave; absent if there is none.'),
  },
  ['reason'],
);

/** Members of a template that a file declares. */
const declaration: Readonly<Record<string, Schema>> = {
  declaredIn: text('File in Git that declares the template, such as `endpoints/echo.yaml`; absent if there is none.'),
  drift: {
    type: 'array',
    items: reference('Drift'),
    description:
      'Fields whose values differ from the file; absent if there are none, and for callers other than the owner. A deployment that changes the file sets them again.',
  },
};
const optional = Object.keys(declaration);

const setByService: Readonly<Record<string, Schema>> = {
  id,
  isPlatform: { type: 'boolean', description: 'Whether the template is official, which means declared in Git.' },
  earned: { type: 'number', minimum: 0, description: 'Credits that the creator has earned.' },
  runtimeInMin: count('Run time of all stopped workers, in minutes.'),
  version: { type: 'integer', minimum: 1, description: 'Version, incremented by each change that replaces workers.' },
};

/** Removes the defaults, which only apply to requests. */
const withoutDefaults = (fields: Readonly<Record<string, Schema>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, { default: _, ...schema }]) => [name, schema]));

const template = withoutDefaults({ ...setByService, ...changeable, ...fixed });

/** Fields that the routes for reading templates return. */
const read: Readonly<Record<string, Schema>> = {
  ...template,
  ...declaration,
  withdrawnAt: {
    ...text(
      'Time at which the file of an official template was deleted. Only endpoints that already use the template can run it.',
    ),
    format: 'date-time',
  },
};

export const templateSchemas: Readonly<Record<string, Schema>> = {
  NewTemplate: {
    type: 'object',
    description: 'A template to create. Members that only responses have are refused, and unknown members are ignored.',
    properties: withDefaultsDescribed({ ...changeable, ...fixed }),
    required: ['imageName', 'name'],
  },
  TemplateChanges: {
    type: 'object',
    description: 'Fields to change. `category` and `isServerless` are refused.',
    properties: {
      ...withoutDefaults(changeable),
      reason: changeReason,
    },
  },
  Template: {
    ...exactObject({ ...template, ...declaration }, optional),
    description: 'A template. Only its owner sees the values of `env`; other callers see `********`.',
  },
  ListedTemplate: { ...exactObject(read, [...optional, 'withdrawnAt']), description: 'A template in a list.' },
  TemplateInUse: exactObject(
    {
      ...read,
      endpoints: {
        type: 'array',
        items: exactObject({ id: text('Id of an endpoint that uses the template.'), release: reference('Release') }, [
          'release',
        ]),
        description: 'Endpoints that use the template, among those that the caller may call.',
      },
    },
    [...optional, 'withdrawnAt'],
  ),
  TemplateList: exactObject(
    {
      templates: { type: 'array', items: reference('ListedTemplate'), description: 'Templates, sorted by id.' },
      nextCursor: text('Cursor of the next page; absent on the last page.'),
    },
    ['nextCursor'],
  ),
  RemovedTemplate: exactObject({ id }),
  Drift: { ...drift, description: 'A field that a client has changed since the file that declares it was deployed.' },
};
