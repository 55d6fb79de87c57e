/**
 * Edits environment variables. Values that might be secret are not shown, and do not change unless the user replaces
 * them.
 */
import AttributeEditor from '@cloudscape-design/components/attribute-editor';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { repeated, type Variable } from '../../template/env.ts';

const MAX_VARIABLES = 256;

const kinds = [
  { value: 'text', label: 'Text' },
  { value: 'secret', label: 'Secret' },
] as const;

interface Props {
  readonly variables: readonly Variable[];
  readonly onChange: (variables: readonly Variable[]) => void;
  /** The service's errors for variables, by row. */
  readonly errors: ReadonlyMap<number, string>;
}

interface RowProps {
  readonly variable: Variable;
  readonly row: number;
  readonly onChange: (variable: Variable) => void;
}

function Kind({ variable, row, onChange }: RowProps) {
  if (variable.kind === 'kept') return <Box padding={{ top: 'xxs' }}>Text, hidden</Box>;
  return (
    <Select
      ariaLabel={`Kind of variable ${row + 1}`}
      selectedOption={kinds.find(({ value }) => value === variable.kind) ?? null}
      options={kinds}
      // A value of one kind is not valid for the other kind, so a new kind starts with an empty value.
      onChange={({ detail }) =>
        onChange({ kind: detail.selectedOption.value === 'secret' ? 'secret' : 'text', name: variable.name, value: '' })
      }
    />
  );
}

function Value({ variable, row, onChange }: RowProps) {
  if (variable.kind === 'kept')
    return (
      <SpaceBetween direction="horizontal" size="xs" alignItems="center">
        <Box color="text-body-secondary">Unchanged.</Box>
        <Button
          ariaLabel={`Replace the value of ${variable.name}`}
          onClick={() => onChange({ kind: 'text', name: variable.name, value: '' })}
        >
          Replace
        </Button>
      </SpaceBetween>
    );
  return (
    <Input
      value={variable.value}
      spellcheck={false}
      ariaLabel={
        variable.kind === 'secret' ? `Name of the secret of variable ${row + 1}` : `Value of variable ${row + 1}`
      }
      placeholder={variable.kind === 'secret' ? 'HF_TOKEN' : ''}
      onChange={({ detail }) => onChange({ ...variable, value: detail.value })}
    />
  );
}

export function EnvEditor({ variables, onChange, errors }: Props) {
  const [added, setAdded] = useState<number>();
  const twice = new Set(repeated(variables));
  const set = (row: number, variable: Variable) => onChange(variables.with(row, variable));
  return (
    <AttributeEditor
      items={variables}
      empty="No variables."
      addButtonText="Add variable"
      disableAddButton={variables.length >= MAX_VARIABLES}
      removeButtonText="Remove"
      removeButtonAriaLabel={({ name }) => `Remove variable ${name}`}
      onAddButtonClick={() => {
        setAdded(variables.length);
        onChange([...variables, { kind: 'text', name: '', value: '' }]);
      }}
      onRemoveButtonClick={({ detail }) => onChange(variables.toSpliced(detail.itemIndex, 1))}
      i18nStrings={{ errorIconAriaLabel: 'Error', itemRemovedAriaLive: 'Removed the variable' }}
      gridLayout={[
        { breakpoint: 's', rows: [[4, 2, 5]], removeButton: { width: 'auto' } },
        { rows: [[1], [1], [1]], removeButton: { ownRow: true } },
      ]}
      definition={[
        {
          label: 'Name',
          control: (variable: Variable, row: number) => (
            <Input
              value={variable.name}
              spellcheck={false}
              ariaLabel={`Name of variable ${row + 1}`}
              placeholder="MODEL"
              // The focus moves to the row that the button added.
              autoFocus={row === added}
              onChange={({ detail }) => set(row, { ...variable, name: detail.value })}
            />
          ),
          errorText: (_: Variable, row: number) =>
            twice.has(row) ? 'Another variable above has this name.' : errors.get(row),
        },
        {
          label: 'Kind',
          control: (variable: Variable, row: number) => (
            <Kind variable={variable} row={row} onChange={(next) => set(row, next)} />
          ),
        },
        {
          label: 'Value, or name of the secret',
          control: (variable: Variable, row: number) => (
            <Value variable={variable} row={row} onChange={(next) => set(row, next)} />
          ),
        },
      ]}
    />
  );
}
