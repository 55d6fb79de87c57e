/** Finds names of templates that no file declares, which are mistyped or exist only in the deployment. */
import { readDeclarations } from '../../lib/endpoints/declaration.ts';
import { readTemplates } from '../../lib/templates/declaration.ts';

/**
 * Returns a sentence for each endpoint whose template is not in a file.
 * @param root parent of `endpoints/` and `templates/`
 * @param environment name of the environment whose overrides apply
 */
export function unknownTemplates(root: string, environment: string | undefined): string[] {
  const templates = readTemplates(root);
  const known = new Set(templates.flatMap(({ id, name }) => [id, name]));
  const existing = templates.length === 0 ? 'there is none' : `there are ${templates.map(({ id }) => id).join(', ')}`;
  return readDeclarations(root, environment).flatMap(({ id, template }) =>
    template === undefined || known.has(template)
      ? []
      : [
          `endpoints/${id}.yaml: no file in templates/ is \`${template}\` (${existing}), so the deployment must have this template`,
        ],
  );
}
