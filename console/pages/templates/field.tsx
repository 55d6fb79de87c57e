/** One field of the form of a template: its label, what is allowed, and what the service said of it. */
import FormField from '@cloudscape-design/components/form-field';
import type { ReactNode } from 'react';
import type { FormErrors } from '../../api/field-errors.ts';
import { type Field as FieldName, fields } from './fields.ts';

interface Props {
  readonly of: FieldName;
  readonly errors: FormErrors;
  readonly description?: ReactNode;
  readonly constraint?: ReactNode;
  /** Whether the entries of a list show their own errors. */
  readonly hasEntries?: boolean;
  readonly stretch?: boolean;
  readonly children: ReactNode;
}

export function Field({ of, errors, description, constraint, hasEntries = false, stretch = false, children }: Props) {
  const here = (errors.fields[of] ?? []).filter(({ index }) => !hasEntries || index === undefined);
  return (
    <FormField
      label={fields[of].label}
      description={description}
      constraintText={constraint}
      stretch={stretch}
      i18nStrings={{ errorIconAriaLabel: 'Error' }}
      errorText={here.length > 0 ? here.map(({ text }) => text).join(' ') : undefined}
    >
      {children}
    </FormField>
  );
}
