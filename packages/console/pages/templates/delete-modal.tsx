/** Asks the user for confirmation, then deletes a template. */
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useLocation } from 'wouter';
import type { TemplateInUse } from '../../api/management-types.ts';
import { seen } from '../../json/display.ts';
import { ConfirmModal } from '../../shell/confirm-modal.tsx';
import { Failure } from '../../shell/failure.tsx';
import { paths } from '../../shell/paths.ts';
import { useRemove } from '../../template/queries.ts';

interface Props {
  readonly template: TemplateInUse;
  readonly onDismiss: () => void;
}

export default function DeleteModal({ template, onDismiss }: Props) {
  const { id, name, endpoints } = template;
  const remove = useRemove(id);
  const [, navigate] = useLocation();
  return (
    <ConfirmModal
      header={`Delete ${seen(name)}?`}
      operation="remove-template"
      verb="Delete"
      cancel="Keep it"
      isBusy={remove.isPending}
      busyText="The template is being deleted"
      onConfirm={() => remove.mutate(undefined, { onSuccess: () => navigate(paths.templates()) })}
      onDismiss={onDismiss}
    >
      <SpaceBetween size="m">
        {remove.error && <Failure error={remove.error} />}
        <Box>A deleted template cannot be restored here. Its name can be used again immediately.</Box>
        {endpoints.length > 0 && (
          <Alert type="warning" header={`Used by ${endpoints.map((endpoint) => endpoint.id).join(', ')}`}>
            The service deletes a template only if no endpoint uses it.
          </Alert>
        )}
      </SpaceBetween>
    </ConfirmModal>
  );
}
