/** Deletes a template, once the user has confirmed it. */
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useLocation } from 'wouter';
import type { TemplateInUse } from '../../api/management-types.ts';
import { Failure } from '../../shell/failure.tsx';
import { PermittedButton } from '../../shell/permitted-button.tsx';
import { paths } from '../../shell/routes.tsx';
import { useRemove } from './queries.ts';

interface Props {
  readonly template: TemplateInUse;
  readonly onDismiss: () => void;
}

export default function DeleteModal({ template, onDismiss }: Props) {
  const { id, name, endpoints } = template;
  const remove = useRemove(id);
  const [, navigate] = useLocation();
  return (
    <Modal
      visible
      header={`Delete ${name}?`}
      closeAriaLabel="Close"
      onDismiss={onDismiss}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onDismiss}>
              Keep it
            </Button>
            <PermittedButton
              operation="remove-template"
              variant="primary"
              loading={remove.isPending}
              loadingText="The template is being deleted"
              onClick={() => remove.mutate(undefined, { onSuccess: () => navigate(paths.templates()) })}
            >
              Delete
            </PermittedButton>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        {remove.error && <Failure error={remove.error} />}
        <Box>The template cannot be brought back here. Its name is free at once.</Box>
        {endpoints.length > 0 && (
          <Alert type="warning" header={`Used by ${endpoints.map((endpoint) => endpoint.id).join(', ')}`}>
            The service deletes a template when no endpoint uses it.
          </Alert>
        )}
      </SpaceBetween>
    </Modal>
  );
}
