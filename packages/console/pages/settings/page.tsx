/** Shows the preferences of this browser, the signed-in user, and the versions of the service. */
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { prefer, usePreferences } from '../../preference-store.ts';
import type { Density, Theme, Zone } from '../../preferences.ts';
import { Time } from '../../shell/time.tsx';
import { useTitle } from '../../shell/title.ts';
import { ServiceView } from './service-view.tsx';
import { SessionView } from './session-view.tsx';

interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly description?: string;
}

const themes: readonly Choice<Theme>[] = [
  { value: 'system', label: 'Same as the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

const densities: readonly Choice<Density>[] = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact', description: 'More rows on a screen.' },
];

const zones: readonly Choice<Zone>[] = [
  { value: 'local', label: 'Local time' },
  { value: 'utc', label: 'UTC' },
];

interface ChoiceFieldProps<Value extends string> {
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function ChoiceField<Value extends string>({ label, choices, value, onChange }: ChoiceFieldProps<Value>) {
  return (
    <FormField label={label}>
      <RadioGroup
        value={value}
        items={choices}
        onChange={({ detail }) => {
          const chosen = choices.find((choice) => choice.value === detail.value);
          if (chosen) onChange(chosen.value);
        }}
      />
    </FormField>
  );
}

export default function Page() {
  useTitle('Settings');
  const { theme, density, zone, shortcuts } = usePreferences();
  return (
    <SpaceBetween size="l">
      <Header variant="h1">Settings</Header>
      <Container
        header={
          <Header variant="h2" description="Changes take effect immediately, in this browser only.">
            {' '}
            Appearance{' '}
          </Header>
        }
      >
        <ColumnLayout columns={3}>
          <ChoiceField label="Theme" choices={themes} value={theme} onChange={(value) => prefer({ theme: value })} />
          <ChoiceField
            label="Density"
            choices={densities}
            value={density}
            onChange={(value) => prefer({ density: value })}
          />
          <SpaceBetween size="xs">
            <ChoiceField label="Times" choices={zones} value={zone} onChange={(value) => prefer({ zone: value })} />
            <span>
              This page was loaded at <Time at={performance.timeOrigin} />
            </span>
          </SpaceBetween>
        </ColumnLayout>
      </Container>
      <Container header={<Header variant="h2">Keyboard</Header>}>
        <Toggle
          checked={shortcuts}
          description="Single keys search, open pages and move in lists. Press ? to list them."
          onChange={({ detail }) => prefer({ shortcuts: detail.checked })}
        >
          Keyboard shortcuts
        </Toggle>
      </Container>
      <SessionView />
      <ServiceView />
    </SpaceBetween>
  );
}
