/** Shown over the page while the session has expired. The page keeps what the user has typed. */
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { setConnection } from '../api/connection.ts';
import { signInElsewhere } from '../session/again.ts';
import { useService } from '../session/session.tsx';

export default function ExpiredDialog() {
  const { signIn } = useService();
  const queries = useQueryClient();
  const [isDismissed, setDismissed] = useState(false);
  const stop = useRef<(() => void) | undefined>(undefined);

  useEffect(() => () => stop.current?.(), []);

  function inWindow() {
    stop.current?.();
    stop.current = signInElsewhere(signIn, () => {
      setConnection({ isExpired: false });
      void queries.invalidateQueries();
    });
  }

  if (isDismissed)
    return (
      <Alert type="warning" header="Your session has expired" action={<Button onClick={inWindow}>Sign in</Button>}>
        This page is not updated until you sign in.
      </Alert>
    );
  return (
    <Modal
      visible
      header="Your session has expired"
      onDismiss={() => setDismissed(true)}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={() => void signIn.begin(`${location.pathname}${location.search}`)}>
              Sign in on this page
            </Button>
            <Button variant="primary" onClick={inWindow}>
              Sign in in a new window
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      Sign in again to continue. If you use a new window, this page keeps what you have typed. If you sign in on this
      page, your text is lost.
    </Modal>
  );
}
