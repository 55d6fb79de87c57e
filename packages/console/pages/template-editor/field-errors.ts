/** Maps the service's errors to the fields of the template form. */
import type { ApiError } from '../../api/error.ts';
import { byField, errorsIn, type FormErrors } from '../../api/field-errors.ts';
import { type Field, fields } from '../../template/fields.ts';

const names = Object.keys(fields);

/** Finds the fields with a secret or login that the user may not add. */
const referenced = (message: string): Field[] => [
  ...(message.includes('registry login') ? (['containerRegistryAuthId'] as const) : []),
  ...(message.includes('the secret ') ? (['env'] as const) : []),
];

/** @param error error of a request that creates or changes a template */
export function formErrors({ code, message }: Pick<ApiError, 'code' | 'message'>): FormErrors {
  if (code === 'DECLARED_IN_GIT') return { fields: {}, general: message };
  if (code === 'TEMPLATE_NAME_TAKEN') return { fields: { name: [{ text: message }] } };
  if (code === 'SECRETS_NOT_PERMITTED')
    return { fields: byField(referenced(message).map((field) => [field, { text: message }])), general: message };
  return errorsIn(message, names);
}
