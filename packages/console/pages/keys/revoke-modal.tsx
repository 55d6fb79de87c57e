/** Asks the user for confirmation, then revokes a key. */
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { seen } from '../../json/display.ts';
import { ConfirmModal } from '../../shell/confirm-modal.tsx';
import { Failure } from '../../shell/failure.tsx';
import type { ApiKey } from './key.ts';
import { useRevokeKey } from './queries.ts';

interface Props {
  readonly apiKey: ApiKey;
  readonly onDismiss: () => void;
}

export default function RevokeModal({ apiKey: { id, name, owner }, onDismiss }: Props) {
  const revoke = useRevokeKey();
  return (
    <ConfirmModal
      header={`Revoke ${seen(name)}?`}
      operation="revoke-key"
      verb="Revoke"
      cancel="Keep it"
      isBusy={revoke.isPending}
      busyText="The key is being revoked"
      onConfirm={() => revoke.mutate(id, { onSuccess: onDismiss })}
      onDismiss={onDismiss}
    >
      <SpaceBetween size="m">
        <Box>
          Within 60 s the service refuses key <code>{id}</code> of {owner}, and its clients get 401. A revoked key
          cannot be restored.
        </Box>
        {revoke.error && <Failure error={revoke.error} />}
      </SpaceBetween>
    </ConfirmModal>
  );
}
