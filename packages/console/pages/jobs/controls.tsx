/** Controls of the filters of all jobs. */
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import TokenGroup from '@cloudscape-design/components/token-group';
import { useState } from 'react';
import { useKnownEndpoints } from '../../endpoint/use-endpoints.ts';
import type { Parameters } from '../../shell/parameter.ts';
import type { JobsFilters } from '../../shell/paths.ts';
import { type Choice, statusChoices, times, tokensOf, USUAL_TIME } from './filters.ts';

interface ChooserProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly onChange: (value: string) => void;
}

function Chooser({ label, value, choices, onChange }: ChooserProps) {
  // An address can name any value.
  const chosen = choices.find((choice) => choice.value === value) ?? { value, label: value };
  return (
    <Select
      ariaLabel={label}
      selectedOption={chosen}
      options={choices}
      onChange={({ detail }) => onChange(detail.selectedOption.value ?? '')}
    />
  );
}

interface Props {
  readonly filters: JobsFilters;
  readonly onChange: (changes: Parameters) => void;
}

/** Searches when Enter is pressed or the field is left, because each search reads up to 2,000 jobs. */
function TextField({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  return (
    <Input
      type="search"
      ariaLabel="Text of the error"
      placeholder="Text of the error"
      value={typed}
      onChange={({ detail }) => {
        setTyped(detail.value);
        if (detail.value === '' && text !== '') onChange('');
      }}
      onBlur={() => typed !== text && onChange(typed)}
      onKeyDown={({ detail }) => detail.key === 'Enter' && onChange(typed)}
    />
  );
}

export function Controls({ filters, onChange }: Props) {
  const endpoints = useKnownEndpoints().map(({ id }): Choice => ({ value: id, label: id }));
  const { endpoint = '', status = '', since = USUAL_TIME, text = '' } = filters;
  const tokens = tokensOf(filters);
  return (
    <div className="job-controls">
      <search>
        <Chooser
          label="Endpoint"
          value={endpoint}
          choices={[{ value: '', label: 'All endpoints' }, ...endpoints]}
          onChange={(value) => onChange({ endpoint: value })}
        />
        <Chooser
          label="Status"
          value={status}
          choices={statusChoices}
          onChange={(value) => onChange({ status: value })}
        />
        <Chooser
          label="Time"
          value={since}
          choices={times}
          onChange={(value) => onChange({ since: value === USUAL_TIME ? undefined : value, until: undefined })}
        />
        <TextField key={text} text={text} onChange={(value) => onChange({ text: value.trim() })} />
      </search>
      {tokens.length > 0 && (
        <TokenGroup
          items={tokens.map((token) => ({ label: token.text, dismissLabel: `Remove ${token.text}` }))}
          onDismiss={({ detail }) => {
            const token = tokens[detail.itemIndex];
            if (token) onChange({ [token.name]: undefined });
          }}
        />
      )}
    </div>
  );
}
