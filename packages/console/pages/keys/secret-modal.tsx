/** Shows the secret of a new key. The console cannot show it again. */
import './keys.css';
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { CreatedKey } from '../../api/management-types.ts';
import { useKnownEndpoints } from '../../endpoint/use-endpoints.ts';
import { curlFor } from './curl.ts';

interface LineProps {
  readonly text: string;
  /** Name of the copied text, such as `key`. */
  readonly what: string;
}

function Line({ text, what }: LineProps) {
  return (
    <div className="key-line">
      <code>{text}</code>
      <CopyToClipboard
        copyButtonText={`Copy ${what}`}
        copyButtonAriaLabel={`Copy ${what}`}
        textToCopy={text}
        copySuccessText="Copied"
        copyErrorText="The browser does not allow copying"
      />
    </div>
  );
}

interface Props {
  readonly created: CreatedKey;
  readonly onDismiss: () => void;
}

export default function SecretModal({ created, onDismiss }: Props) {
  const endpoints = useKnownEndpoints().map(({ id }) => id);
  const curl = curlFor(created, endpoints, location.origin);
  return (
    <Modal
      visible
      size="large"
      header={`API key ${created.name}`}
      closeAriaLabel="Close"
      // A click outside the dialog must not close it, because the key would be lost.
      onDismiss={({ detail }) => detail.reason !== 'overlay' && onDismiss()}
      footer={
        <Box float="right">
          <Button variant="primary" onClick={onDismiss}>
            I have stored the key
          </Button>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <Alert type="warning">Copy the key now. The service stores only its hash and cannot show the key again.</Alert>
        <Line text={created.secret} what="key" />
        {curl !== undefined && (
          <>
            <Box variant="p">To try it, set the variable API_KEY to the key, then run:</Box>
            <Line text={curl} what="command" />
          </>
        )}
      </SpaceBetween>
    </Modal>
  );
}
