/** Revokes a key, once the user has confirmed it. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Failure } from '../../shell/failure.tsx';
import { PermittedButton } from '../../shell/permitted-button.tsx';
import type { ApiKey } from './key.ts';
import { useRevokeKey } from './queries.ts';

interface Props {
  readonly apiKey: ApiKey;
  readonly onDismiss: () => void;
}

export default function RevokeModal({ apiKey: { id, name, owner }, onDismiss }: Props) {
  const revoke = useRevokeKey();
  return (
    <Modal
      visible
      header={`Revoke ${name}?`}
      closeAriaLabel="Close"
      onDismiss={onDismiss}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onDismiss}>
              Keep it
            </Button>
            <PermittedButton
              operation="revoke-key"
              variant="primary"
              loading={revoke.isPending}
              loadingText="The key is being revoked"
              onClick={() => revoke.mutate(id, { onSuccess: onDismiss })}
            >
              Revoke
            </PermittedButton>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Box>
          The service refuses key <code>{id}</code> of {owner} within 60 s. Its clients then get 401. A revoked key
          cannot be brought back.
        </Box>
        {revoke.error && <Failure error={revoke.error} />}
      </SpaceBetween>
    </Modal>
  );
}
