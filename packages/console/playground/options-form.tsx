/** Edits the policy and webhook, which are sent with the input. */
import ColumnLayout from '@cloudscape-design/components/column-layout';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { useState } from 'react';
import { noOptions, type OptionErrors, type Options } from './request.ts';

interface Props {
  readonly options: Options;
  readonly errors: OptionErrors;
  readonly onChange: (options: Options) => void;
}

const isUsual = (options: Options) =>
  Object.entries(noOptions).every(([name, value]) => options[name as keyof Options] === value);

export function OptionsForm({ options, errors, onChange }: Props) {
  const [isOpen, setOpen] = useState(() => !isUsual(options));
  const set = (changes: Partial<Options>) => onChange({ ...options, ...changes });
  const summary = isUsual(options) ? "The endpoint's limits, no webhook" : 'Changed';
  return (
    <ExpandableSection
      headerText="Policy and webhook"
      headerDescription={summary}
      expanded={isOpen || Object.keys(errors).length > 0}
      onChange={({ detail }) => setOpen(detail.expanded)}
    >
      <SpaceBetween size="s">
        <ColumnLayout columns={2}>
          <FormField label="executionTimeout, ms" errorText={errors.executionTimeout} constraintText="Longest run">
            <Input
              inputMode="numeric"
              placeholder="The endpoint's limit"
              value={options.executionTimeout}
              onChange={({ detail }) => set({ executionTimeout: detail.value })}
            />
          </FormField>
          <FormField label="ttl, ms" errorText={errors.ttl} constraintText="Longest wait in the queue">
            <Input
              inputMode="numeric"
              placeholder="86400000"
              value={options.ttl}
              onChange={({ detail }) => set({ ttl: detail.value })}
            />
          </FormField>
        </ColumnLayout>
        <Toggle
          checked={options.lowPriority}
          description="The job waits for other jobs, and starts no worker."
          onChange={({ detail }) => set({ lowPriority: detail.checked })}
        >
          Low priority
        </Toggle>
        <FormField label="Webhook" errorText={errors.webhook} constraintText="Receives the result in a POST request">
          <Input
            inputMode="url"
            placeholder="https://receiver.example.com/jobs"
            value={options.webhook}
            onChange={({ detail }) => set({ webhook: detail.value })}
          />
        </FormField>
      </SpaceBetween>
    </ExpandableSection>
  );
}
