/** Finds why a template cannot be changed in the console, regardless of the user's role. */
import type { Template } from '../../api/management-types.ts';
import { HIDDEN } from '../../template/env.ts';

/** @returns whether a value is hidden, because the service hides values from users of other owners */
const isOfAnotherOwner = ({ env }: Pick<Template, 'env'>): boolean => Object.values(env).includes(HIDDEN);

/**
 * Explains why the template cannot be changed. Another owner's template without variables is not recognized here,
 * but the service refuses its changes.
 * @returns a sentence, or undefined if only the user's role decides
 */
export function readOnlyReason(template: Pick<Template, 'id' | 'isPlatform' | 'env'>): string | undefined {
  if (template.isPlatform) return `An official template is changed in Git: templates/${template.id}.yaml.`;
  return isOfAnotherOwner(template) ? 'Only its owner can change this template.' : undefined;
}
