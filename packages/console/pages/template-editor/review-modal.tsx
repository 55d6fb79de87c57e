/** Shows the changes of an edit and the affected endpoints before the edit is saved. */
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { TemplateChanges, TemplateInUse } from '../../api/management-types.ts';
import { ConfirmModal } from '../../shell/confirm-modal.tsx';
import { Comparison } from '../../template/comparison.tsx';
import { differences, overwritten } from '../../template/difference.ts';
import { leavingFile } from '../../template/drift.ts';
import { fields } from '../../template/fields.ts';

interface Props {
  /** Template that filled the form. */
  readonly filled: TemplateInUse;
  /** Template as it is stored now. */
  readonly present: TemplateInUse;
  readonly changes: TemplateChanges;
  /** Label of the button that closes the dialog. */
  readonly cancel: string;
  readonly isSaving: boolean;
  /** @param reason empty if the user gives none */
  readonly onSave: (reason: string) => void;
  readonly onDismiss: () => void;
}

function Reach({
  endpoints,
  isRolledOut,
}: {
  readonly endpoints: TemplateInUse['endpoints'];
  readonly isRolledOut: boolean;
}) {
  if (!isRolledOut) return <Box>These fields change immediately. No worker is replaced.</Box>;
  if (endpoints.length === 0)
    return <Box>No endpoint that you may see uses this template, so no worker is replaced.</Box>;
  return (
    <div>
      <Box variant="p">
        The change rolls out to {endpoints.length === 1 ? 'this endpoint' : `these ${endpoints.length} endpoints`},
        unless an endpoint pins a version. Workers are replaced one by one, and no job fails because of it.
      </Box>
      <ul>
        {endpoints.map(({ id }) => (
          <li key={id}>{id}</li>
        ))}
      </ul>
    </div>
  );
}

interface DeclaredProps {
  readonly file: string;
  readonly reason: string;
  readonly onChange: (reason: string) => void;
}

/** Explains what happens to a change of fields that a file declares, and asks for its reason. */
function Declared({ file, reason, onChange }: DeclaredProps) {
  return (
    <SpaceBetween size="s">
      <Alert type="info">
        <code>{file}</code> declares these fields. The change takes effect until the next deployment that changes the
        file. To keep it, write it into the file too.
      </Alert>
      <FormField
        label="Reason"
        description="Shown with the change. Required if this deployment locks what Git declares."
      >
        <Input value={reason} onChange={({ detail }) => onChange(detail.value)} />
      </FormField>
    </SpaceBetween>
  );
}

export default function ReviewModal({ filled, present, changes, cancel, isSaving, onSave, onDismiss }: Props) {
  const changed = differences(present, changes);
  const taken = overwritten(filled, present, changes);
  const [reason, setReason] = useState('');
  const isLeaving = leavingFile(present, changes);
  const isRolledOut = changed.some(({ rollsOut }) => rollsOut);
  return (
    <ConfirmModal
      size="large"
      header="Save these changes?"
      operation="update-template"
      verb={isRolledOut && present.endpoints.length > 0 ? 'Save and roll out' : 'Save'}
      cancel={cancel}
      isBusy={isSaving}
      busyText="The template is being saved"
      onConfirm={() => onSave(reason.trim())}
      onDismiss={onDismiss}
    >
      <SpaceBetween size="m">
        {taken.length > 0 && (
          <Alert type="warning" header="The template was changed while you edited it">
            Your edit overwrites these fields: {taken.map((field) => fields[field].label).join(', ')}.
          </Alert>
        )}
        <Comparison differences={changed} />
        {isLeaving && present.declaredIn !== undefined && (
          <Declared file={present.declaredIn} reason={reason} onChange={setReason} />
        )}
        <Reach endpoints={present.endpoints} isRolledOut={isRolledOut} />
      </SpaceBetween>
    </ConfirmModal>
  );
}
