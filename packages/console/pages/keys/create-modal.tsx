/** Dialog that creates a key with a name, an owner and permissions. */
import Alert from '@cloudscape-design/components/alert';
import DateInput from '@cloudscape-design/components/date-input';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Multiselect from '@cloudscape-design/components/multiselect';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { errorsIn, type FormErrors, noErrors } from '../../api/field-errors.ts';
import type { CreatedKey } from '../../api/management-types.ts';
import { useKnownEndpoints } from '../../endpoint/use-endpoints.ts';
import { ConfirmModal } from '../../shell/confirm-modal.tsx';
import { Choices } from './choices.tsx';
import { emptyGrant, type GrantDraft, grantOf, lifetimes, missingOf } from './grant.ts';
import { operations, scopes } from './permissions.ts';
import { useCreateKey } from './queries.ts';

const FORM = 'create-key';
const fields = ['name', 'owner', 'endpoints', 'operations', 'scopes', 'expiresAt'];

interface FieldProps {
  readonly of: string;
  readonly label: string;
  readonly errors: FormErrors;
  readonly missing: Readonly<Record<string, string | undefined>>;
  readonly constraint?: string;
  readonly children: ReactNode;
}

function Field({ of, label, errors, missing, constraint, children }: FieldProps) {
  const text = missing[of] ?? errors.fields[of]?.map((error) => error.text).join(' ');
  return (
    <FormField label={label} constraintText={constraint} errorText={text} i18nStrings={{ errorIconAriaLabel: 'Error' }}>
      {children}
    </FormField>
  );
}

interface Props {
  readonly onCreated: (key: CreatedKey) => void;
  readonly onDismiss: () => void;
}

export default function CreateModal({ onCreated, onDismiss }: Props) {
  const [draft, setDraft] = useState(emptyGrant);
  const [attempts, setAttempts] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState(noErrors);
  const create = useCreateKey();
  const endpoints = useKnownEndpoints();
  const change = (changes: Partial<GrantDraft>) => setDraft({ ...draft, ...changes });
  const found = missingOf(draft, Date.now());
  // Missing values are shown after the user has tried to send the form.
  const field = { errors, missing: attempts > 0 ? found : {} };

  // Each attempt and each response moves the focus to the first wrong field.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts, errors]);

  function send() {
    setAttempts(attempts + 1);
    setErrors(noErrors);
    if (Object.keys(found).length > 0 || create.isPending) return;
    create.mutate(grantOf(draft, Date.now()), {
      onSuccess: onCreated,
      onError: ({ message }) => setErrors(errorsIn(message, fields)),
    });
  }

  return (
    <ConfirmModal
      size="large"
      header="Create API key"
      operation="create-key"
      verb="Create API key"
      cancel="Cancel"
      isBusy={create.isPending}
      busyText="The key is being created"
      form={FORM}
      onDismiss={onDismiss}
    >
      <form
        ref={form}
        id={FORM}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <SpaceBetween size="l">
          {errors.general !== undefined && (
            <Alert type="error" header="The service refused the key">
              {errors.general}
            </Alert>
          )}
          <Field of="name" label="Name" constraint="What the key is for, such as ci." {...field}>
            <Input value={draft.name} onChange={({ detail }) => change({ name: detail.value })} />
          </Field>
          <Field
            of="owner"
            label="Owner"
            constraint="Owner of the templates that the key reads and changes. Default: the name of the key."
            {...field}
          >
            <Input value={draft.owner} onChange={({ detail }) => change({ owner: detail.value })} />
          </Field>
          <Field of="endpoints" label="Endpoints" {...field}>
            <Choices
              of="endpoints"
              every="Every endpoint"
              some="Chosen endpoints"
              choices={endpoints.map(({ id }) => ({ value: id }))}
              chosen={draft.endpoints}
              onChange={(chosen) => change({ endpoints: chosen })}
            />
          </Field>
          <Field of="operations" label="Operations" {...field}>
            <Choices
              of="operations"
              every="Every operation of jobs and endpoints"
              some="Chosen operations"
              choices={operations}
              chosen={draft.operations}
              onChange={(chosen) => change({ operations: chosen })}
            />
          </Field>
          <Field of="scopes" label="Templates" constraint="If empty, the key cannot access templates." {...field}>
            <Multiselect
              ariaLabel="Templates"
              placeholder="Choose what the key can do with templates"
              options={scopes.map((scope) => ({ ...scope, label: scope.value }))}
              selectedOptions={draft.scopes.map((value) => ({ value, label: value }))}
              deselectAriaLabel={({ label }) => `Remove ${label ?? ''}`}
              onChange={({ detail }) => change({ scopes: detail.selectedOptions.flatMap(({ value }) => value ?? []) })}
            />
          </Field>
          <Field of="expiresAt" label="Expiry" {...field}>
            <SpaceBetween size="xs">
              <Select
                ariaLabel="Expiry"
                selectedOption={lifetimes.find(({ value }) => value === draft.lifetime) ?? null}
                options={lifetimes}
                onChange={({ detail }) =>
                  change({
                    lifetime: lifetimes.find(({ value }) => value === detail.selectedOption.value)?.value ?? 'never',
                  })
                }
              />
              {draft.lifetime === 'date' && (
                <DateInput
                  ariaLabel="Expiry date, in UTC"
                  placeholder="YYYY/MM/DD"
                  value={draft.date}
                  onChange={({ detail }) => change({ date: detail.value })}
                />
              )}
            </SpaceBetween>
          </Field>
        </SpaceBetween>
      </form>
    </ConfirmModal>
  );
}
