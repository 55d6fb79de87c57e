/** Rolls an endpoint back to an earlier release, after a confirmation. */
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReleaseList, Rollback } from '../../api/management-types.ts';
import { releaseName } from '../../endpoint/release.ts';
import { useClient } from '../../session/session.tsx';
import { ConfirmModal } from '../../shell/confirm-modal.tsx';
import { Failure } from '../../shell/failure.tsx';
import { useTemplate } from '../../template/queries.ts';

interface Props {
  readonly endpoint: string;
  readonly release: ReleaseList['releases'][number];
  readonly onClose: () => void;
}

export default function RollbackDialog({ endpoint, release, onClose }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const { data: template } = useTemplate(release.template ?? '', false);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () =>
      client.json<Rollback>(`/v1/endpoints/${encodeURIComponent(endpoint)}/rollback`, {
        method: 'POST',
        body: { revision: release.revision, ...(reason.trim() !== '' && { reason: reason.trim() }) },
      }),
    onSuccess: () => queries.invalidateQueries(),
  });
  const name = `${releaseName(release)} (revision ${release.revision})`;
  return (
    <ConfirmModal
      header={`Roll ${endpoint} back to ${name}`}
      operation="rollback"
      verb="Roll back"
      cancel={data ? 'Close' : 'Do nothing'}
      isBusy={isPending}
      busyText="The endpoint is rolled back"
      isDone={data !== undefined}
      onConfirm={() => mutate()}
      onDismiss={onClose}
    >
      {data ? (
        <Alert type="success" header={`Version ${data.version} of ${data.template} is rolled out`}>
          It has the settings of {name}. Running jobs finish on their workers.
        </Alert>
      ) : (
        <SpaceBetween size="m">
          <Box>
            The template gets a new version with the settings of {name}, and all endpoints that use the template get it.
            Workers are replaced; running jobs finish.
          </Box>
          {template?.declaredIn !== undefined && (
            <Alert type="warning" header={`${template.declaredIn} declares this template`}>
              Revert the commit in Git too: until then the template differs from its file, and the next deployment that
              changes the file sets the fields again.
            </Alert>
          )}
          <FormField label="Reason" description="Shown with the drift and among the events.">
            <Input value={reason} onChange={({ detail }) => setReason(detail.value)} />
          </FormField>
          {error && <Failure error={error} />}
        </SpaceBetween>
      )}
    </ConfirmModal>
  );
}
