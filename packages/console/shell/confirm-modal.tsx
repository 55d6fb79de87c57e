/** Frame of a dialog that asks for confirmation before it calls an operation. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal, { type ModalProps } from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { PermittedButton } from './permitted-button.tsx';

interface Props {
  readonly header: string;
  readonly size?: ModalProps.Size;
  readonly operation: string;
  /** Label of the button that calls the operation: a verb. */
  readonly verb: string;
  /** Label of the button that closes the dialog without a call. */
  readonly cancel: string;
  readonly isDisabled?: boolean;
  /** Whether the call is in progress. */
  readonly isBusy?: boolean;
  /** Text for screen readers while the call is in progress. */
  readonly busyText?: string;
  /** Whether the call has succeeded and the dialog shows its result. Only the `cancel` button is left. */
  readonly isDone?: boolean;
  /** Id of the form that the button submits instead of calling `onConfirm`. */
  readonly form?: string;
  readonly onConfirm?: () => void;
  readonly onDismiss: () => void;
  readonly children: ReactNode;
}

export function ConfirmModal(props: Props) {
  const { header, size, operation, verb, cancel, isDisabled, isBusy, busyText, isDone, form } = props;
  const { onConfirm, onDismiss, children } = props;
  return (
    <Modal
      visible
      {...(size && { size })}
      header={header}
      closeAriaLabel="Close"
      onDismiss={onDismiss}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onDismiss}>
              {cancel}
            </Button>
            {!isDone && (
              <PermittedButton
                operation={operation}
                variant="primary"
                disabled={isDisabled ?? false}
                loading={isBusy ?? false}
                {...(busyText !== undefined && { loadingText: busyText })}
                {...(form === undefined ? { onClick: () => onConfirm?.() } : { form, formAction: 'submit' as const })}
              >
                {verb}
              </PermittedButton>
            )}
          </SpaceBetween>
        </Box>
      }
    >
      {children}
    </Modal>
  );
}
