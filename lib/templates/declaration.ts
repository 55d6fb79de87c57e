/** Reads the official templates that Git declares: `templates/<id>.yaml`, one file each. */
import * as z from 'zod/mini';
import { TEMPLATE_ID } from '../../core/endpoints/endpoint.ts';
import { creationSchema } from '../../core/templates/field-rules.ts';
import { defaults } from '../../core/templates/settings.ts';
import { readDeclaredFiles } from '../settings/declared-files.ts';
import { fieldTexts } from '../settings/field-text.ts';
import { workerFields } from './worker-settings.ts';

const { name, imageName, category, isServerless } = creationSchema.shape;

/** Defaults of fields that only files of templates have. Other than in requests, templates are for endpoints. */
export const templateDefaults = { category: defaults.category, isServerless: true } as const;

export const templateSchema = z.strictObject({
  name: name.register(fieldTexts, {
    description: 'Name of the template, which is unique in the deployment.',
    guide: 'templates',
  }),
  imageName: imageName.register(fieldTexts, {
    description: 'Container image of the workers; with `build`, the name under which the built image is displayed.',
    guide: 'workers',
  }),
  category: category.register(fieldTexts, {
    description: 'Kind of processors that workers of the template need; only endpoints with this capacity can use it.',
    default: templateDefaults.category,
    guide: 'templatesUnsupported',
  }),
  isServerless: isServerless.register(fieldTexts, {
    description: 'Whether endpoints can use the template; no endpoint can use a template with `false`.',
    default: templateDefaults.isServerless,
    guide: 'templatesUnsupported',
  }),
  ...workerFields,
});

export type TemplateDeclaration = z.output<typeof templateSchema> & {
  /** The file name without its extension. */
  readonly id: string;
};

/** Completes the sentence "the file name …". */
export const templateIdMust =
  'must be a template id: at most 128 lower-case letters, digits and inner hyphens, not starting with endpoint-, and not new, which is a page of the console';

/** Prefix of the ids of templates that the files of endpoints contain. */
const CARRIED = /^endpoint-/;

/** Path of the console's form for new templates: `/templates/new`. */
const FORM = 'new';

/**
 * Reads all declared templates, in the order of their ids.
 * @param root parent of `templates/`
 * @throws InvalidDeclarations with all problems of all files
 */
export function readTemplates(root: string): TemplateDeclaration[] {
  return readDeclaredFiles(root, {
    folder: 'templates',
    id: { test: (id) => TEMPLATE_ID.test(id) && !CARRIED.test(id) && id !== FORM },
    idMust: templateIdMust,
    schema: templateSchema,
  });
}
