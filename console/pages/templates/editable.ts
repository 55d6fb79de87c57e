/** Why a template cannot be changed here, whatever the user may do. */
import type { Template } from '../../api/management-types.ts';
import { HIDDEN } from './env.ts';

/** The service hides the values of variables from every user but those of the template's owner. */
const isOfAnotherOwner = ({ env }: Pick<Template, 'env'>): boolean => Object.values(env).includes(HIDDEN);

/**
 * @returns a sentence, or undefined if the user's role alone decides. A template of another owner that has no variables
 * looks like one of the user's: the service refuses its changes.
 */
export function whyFixed(template: Pick<Template, 'id' | 'isPlatform' | 'env'>): string | undefined {
  if (template.isPlatform) return `An official template is changed in Git: templates/${template.id}.yaml.`;
  return isOfAnotherOwner(template) ? 'Only its owner can change this template.' : undefined;
}
