/**
 * Shows the members of the input as fields. The text is the only state: each field changes its part of the text.
 */
import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { type Field, fieldError, fieldsOf, labelOf, withField } from './fields.ts';

interface Props {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

interface FieldProps {
  readonly field: Field;
  readonly onChange: (value: string) => void;
}

/** Longer strings and strings with line breaks get a text area. */
const SHORT = 60;

const literals = ['true', 'false', 'null'].map((id) => ({ id, text: id }));

function FieldInput({ field, onChange }: FieldProps) {
  // Unfinished text, such as "1.", is not a value yet.
  const [typed, setTyped] = useState(field.value);
  const error = fieldError(field, typed);
  const value = error ? typed : field.value;
  function type(next: string): void {
    setTyped(next);
    if (!fieldError(field, next)) onChange(next);
  }
  const label = labelOf(field);
  if (field.kind === 'literal')
    return (
      <FormField label={label}>
        <SegmentedControl
          label={label}
          options={literals}
          selectedId={field.value}
          onChange={({ detail }) => onChange(detail.selectedId)}
        />
      </FormField>
    );
  const isLong = field.kind === 'string' && (field.value.length > SHORT || field.value.includes('\n'));
  return (
    <FormField label={label} errorText={error}>
      {isLong ? (
        <Textarea rows={3} value={value} onChange={({ detail }) => type(detail.value)} />
      ) : (
        <Input
          inputMode={field.kind === 'number' ? 'decimal' : 'text'}
          value={value}
          onChange={({ detail }) => type(detail.value)}
        />
      )}
    </FormField>
  );
}

export function InputForm({ text, onChange }: Props) {
  const fields = fieldsOf(text);
  if (!fields)
    return <Box color="text-body-secondary">The input is not valid JSON. Correct it in the JSON view first.</Box>;
  if (fields.length === 0)
    return (
      <Box color="text-body-secondary">The input has no simple members. Choose an example or use the JSON view.</Box>
    );
  return (
    <SpaceBetween size="s">
      {fields.map((field) => (
        <FieldInput key={field.name} field={field} onChange={(value) => onChange(withField(text, field, value))} />
      ))}
      <Box variant="small" color="text-body-secondary">
        To edit lists and objects, use the JSON view.
      </Box>
    </SpaceBetween>
  );
}
