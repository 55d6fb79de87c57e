/** The schemas of templates: of their creation, of their changes, and of their records. */
import { CATEGORIES } from '../endpoints/endpoint.ts';
import { templateLimits } from '../templates/limits.ts';
import { count, record, reference, type Schema, text } from './schema.ts';

const id = text('Names the template.');

const gigabytes = (description: string, { min, max, default: usual }: Record<'min' | 'max' | 'default', number>) => {
  return { type: 'integer', minimum: min, maximum: max, default: usual, description };
};
const flag = (description: string) => ({ type: 'boolean', default: false, description });
const words = (description: string): Schema => {
  return { type: 'array', items: { type: 'string' }, maxItems: templateLimits.words, default: [], description };
};

/** What can be changed. */
const changeable: Readonly<Record<string, Schema>> = {
  name: text('Unique among all templates, in any case and spelling.', {
    minLength: 1,
    maxLength: templateLimits.name.longest,
  }),
  imageName: text('Container image of the workers.', { minLength: 1, maxLength: templateLimits.imageName }),
  containerDiskInGb: gigabytes('Disk of a worker, which is empty when it starts.', templateLimits.containerDiskInGb),
  volumeInGb: gigabytes('Volume that stays; 0 is none.', templateLimits.volumeInGb),
  volumeMountPath: text('Absolute path of the volume in the container.', { pattern: '^/', default: '/workspace' }),
  containerRegistryAuthId: text('Id of what may pull the image; empty for none.', { default: '' }),
  dockerEntrypoint: words("In place of the image's ENTRYPOINT; empty for the image's own."),
  dockerStartCmd: words("In place of the image's CMD; empty for the image's own."),
  env: {
    type: 'object',
    additionalProperties: { type: 'string' },
    maxProperties: templateLimits.env,
    default: {},
    description: 'Environment variables. A value `{{secrets:NAME}}` is that of a secret.',
  },
  ports: {
    type: 'array',
    items: { type: 'string', pattern: '^[1-9][0-9]{0,4}/(http|tcp)$' },
    maxItems: templateLimits.ports,
    default: [],
    description: 'Ports that the container listens on.',
  },
  isPublic: flag('Whether others may use it.'),
  readme: text('Markdown.', { default: '' }),
};

/** What is said once. */
const fixed: Readonly<Record<string, Schema>> = {
  category: { type: 'string', enum: CATEGORIES, default: 'NVIDIA', description: 'What its workers compute on.' },
  isServerless: flag('Whether its instances are workers; otherwise they are Pods.'),
};

const setByService: Readonly<Record<string, Schema>> = {
  id,
  isPlatform: { type: 'boolean', description: 'Whether it is an official one, which is declared in Git.' },
  earned: { type: 'number', minimum: 0, description: 'Credits of its creator.' },
  runtimeInMin: count('Minutes that its workers ran, of those that have ended.'),
  version: { type: 'integer', minimum: 1, description: 'Raised by each change that replaces workers.' },
};

/** Defaults belong to what comes in. */
const withoutDefaults = (fields: Readonly<Record<string, Schema>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, { default: _, ...schema }]) => [name, schema]));

const template = withoutDefaults({ ...setByService, ...changeable, ...fixed });

/** What the reading routes return in addition. */
const read: Readonly<Record<string, Schema>> = {
  ...template,
  withdrawnAt: {
    ...text(
      'When the file of an official template was deleted. It stays for the endpoints that use it, and no other can use it.',
    ),
    format: 'date-time',
  },
};

export const templateSchemas: Readonly<Record<string, Schema>> = {
  NewTemplate: {
    type: 'object',
    description: 'A template to make. What only answers have is refused, and unknown members are ignored.',
    properties: { ...changeable, ...fixed },
    required: ['imageName', 'name'],
  },
  TemplateChanges: {
    type: 'object',
    description: 'What changes; the rest stays. `category` and `isServerless` are refused.',
    properties: withoutDefaults(changeable),
  },
  Template: {
    ...record(template),
    description: 'A template. Who has not made it sees `********` in place of the values of `env`.',
  },
  ListedTemplate: { ...record(read, ['withdrawnAt']), description: 'A template in a list.' },
  TemplateInUse: record(
    {
      ...read,
      endpoints: {
        type: 'array',
        items: record({ id: text('Id of an endpoint that uses the template.'), release: reference('Release') }, [
          'release',
        ]),
        description: 'Of those that the key may call.',
      },
    },
    ['withdrawnAt'],
  ),
  TemplateList: record(
    {
      templates: { type: 'array', items: reference('ListedTemplate'), description: 'By id.' },
      nextCursor: text('Cursor of the next page; absent on the last page.'),
    },
    ['nextCursor'],
  ),
  RemovedTemplate: record({ id }),
};
