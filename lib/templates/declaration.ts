/** Reads the official templates that Git declares: `templates/<id>.yaml`, one file each. */
import * as z from 'zod/mini';
import { TEMPLATE_ID } from '../../core/endpoints/endpoint.ts';
import { creationSchema } from '../../core/templates/field-rules.ts';
import { readDeclaredFiles, repository } from '../settings/declared-files.ts';
import { workerFields } from './worker-settings.ts';

const { name, imageName, category, isServerless } = creationSchema.shape;

const templateSchema = (root: string) =>
  z.strictObject({
    /** The name that users see. It must be unique among all templates. */
    name,
    imageName,
    category,
    isServerless,
    ...workerFields(root),
  });

export type TemplateDeclaration = z.output<ReturnType<typeof templateSchema>> & {
  /** The file name without its extension. */
  readonly id: string;
};

/** Prefix of the ids of templates that the files of endpoints contain. */
const CARRIED = /^endpoint-/;

/** Path of the console's form for new templates: `/templates/new`. */
const FORM = 'new';

/**
 * Reads all declared templates, in the order of their ids.
 * @param root parent of `templates/`
 * @throws InvalidDeclarations with all problems of all files
 */
export function readTemplates(root: string = repository): TemplateDeclaration[] {
  return readDeclaredFiles(root, {
    folder: 'templates',
    id: { test: (id) => TEMPLATE_ID.test(id) && !CARRIED.test(id) && id !== FORM },
    idMust:
      'must be a template id: at most 128 lower-case letters, digits and inner hyphens, not starting with endpoint-, and not new, which is a page of the console',
    schema: templateSchema(root),
  });
}
