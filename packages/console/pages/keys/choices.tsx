/** Lets the user choose all or some endpoints or operations for a key. */
import Multiselect from '@cloudscape-design/components/multiselect';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';

interface Choice {
  readonly value: string;
  readonly description?: string;
}

interface Props {
  /** Name of the values, such as `endpoints`. */
  readonly of: string;
  readonly every: string;
  readonly some: string;
  readonly choices: readonly Choice[];
  /** Undefined if every value is chosen. */
  readonly chosen: readonly string[] | undefined;
  readonly onChange: (chosen: readonly string[] | undefined) => void;
}

export function Choices({ of, every, some, choices, chosen, onChange }: Props) {
  const options = choices.map((choice) => ({ ...choice, label: choice.value }));
  return (
    <SpaceBetween size="xs">
      <RadioGroup
        ariaLabel={of}
        value={chosen === undefined ? 'every' : 'some'}
        items={[
          { value: 'every', label: every },
          { value: 'some', label: some },
        ]}
        onChange={({ detail }) => onChange(detail.value === 'every' ? undefined : [])}
      />
      {chosen !== undefined && (
        <Multiselect
          ariaLabel={of}
          placeholder={`Choose ${of}`}
          options={options}
          selectedOptions={chosen.map((value) => ({ value, label: value }))}
          filteringType="auto"
          filteringAriaLabel={`Find ${of}`}
          filteringClearAriaLabel="Clear the search"
          deselectAriaLabel={({ label }) => `Remove ${label ?? ''}`}
          empty={`No ${of}`}
          noMatch={`No ${of} match`}
          onChange={({ detail }) => onChange(detail.selectedOptions.flatMap(({ value }) => value ?? []))}
        />
      )}
    </SpaceBetween>
  );
}
