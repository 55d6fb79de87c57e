/** One field of the template form: its label, its constraint and the service's errors. */
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { FormErrors } from '../../api/field-errors.ts';
import { type Field as FieldName, fields } from '../../template/fields.ts';

interface Props {
  readonly of: FieldName;
  readonly errors: FormErrors;
  readonly description?: ReactNode;
  readonly constraint?: ReactNode;
  readonly children: ReactNode;
}

export function Field({ of, errors, description, constraint, children }: Props) {
  const here = errors.fields[of]?.map(({ text }) => text).join(' ');
  return (
    <FormField
      label={fields[of].label}
      description={description}
      constraintText={constraint}
      errorText={here}
      i18nStrings={{ errorIconAriaLabel: 'Error' }}
    >
      {children}
    </FormField>
  );
}

interface ListProps {
  /** Absent if the title of the section is the same. */
  readonly label?: string;
  readonly description?: string;
  /** Errors of the whole list. In a `FormField`, an error would mark each entry. */
  readonly error: string;
  readonly children: ReactNode;
}

/** A field with many entries. Each entry shows its own errors. */
export function ListField({ label, description, error, children }: ListProps) {
  return (
    <FormField label={label} description={description} stretch>
      <SpaceBetween size="xs">
        {error !== '' && (
          <div className="form-error" tabIndex={-1}>
            <StatusIndicator type="error">{error}</StatusIndicator>
          </div>
        )}
        {children}
      </SpaceBetween>
    </FormField>
  );
}
