/** Edits a list with one row per entry: the words of a command, or ports. */
import AttributeEditor from '@cloudscape-design/components/attribute-editor';
import Input from '@cloudscape-design/components/input';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import type { FieldError } from '../../api/field-errors.ts';

interface Props {
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  /** Name of one entry, such as `port`. */
  readonly entry: string;
  /** Text that is shown for an empty list. */
  readonly empty: string;
  readonly max: number;
  readonly placeholder?: string;
  readonly errors: readonly FieldError[];
}

interface ControlProps {
  readonly value: string;
  readonly label: string;
  readonly placeholder?: string | undefined;
  /** Whether the button added this row, which then gets the focus. */
  readonly isAdded: boolean;
  readonly onChange: (value: string) => void;
}

/** Uses a text area for words with line breaks, such as a script. An input would drop the line breaks. */
function Control({ value, label, placeholder, isAdded, onChange }: ControlProps) {
  const control = {
    value,
    ariaLabel: label,
    spellcheck: false,
    autoFocus: isAdded,
    onChange: ({ detail }: { detail: { value: string } }) => onChange(detail.value),
    ...(placeholder !== undefined && { placeholder }),
  };
  return value.includes('\n') ? (
    <Textarea {...control} rows={Math.min(12, value.split('\n').length)} />
  ) : (
    <Input {...control} />
  );
}

export function ListEditor({ values, onChange, entry, empty, max, placeholder, errors }: Props) {
  const [added, setAdded] = useState<number>();
  const set = (index: number, value: string) => onChange(values.with(index, value));
  return (
    <AttributeEditor
      items={values}
      empty={empty}
      addButtonText={`Add ${entry}`}
      disableAddButton={values.length >= max}
      removeButtonText="Remove"
      onAddButtonClick={() => {
        setAdded(values.length);
        onChange([...values, '']);
      }}
      onRemoveButtonClick={({ detail }) => onChange(values.toSpliced(detail.itemIndex, 1))}
      i18nStrings={{ errorIconAriaLabel: 'Error', itemRemovedAriaLive: `Removed the ${entry}` }}
      gridLayout={[{ rows: [[1]], removeButton: { width: 'auto' } }]}
      definition={[
        {
          label: `${entry.charAt(0).toUpperCase()}${entry.slice(1)}`,
          control: (value: string, index: number) => (
            <Control
              value={value}
              label={`${entry} ${index + 1}`}
              placeholder={placeholder}
              isAdded={index === added}
              onChange={(next) => set(index, next)}
            />
          ),
          errorText: (_: string, index: number) => errors.find((error) => error.index === index)?.text,
        },
      ]}
    />
  );
}
