/** Shows that the browser is offline, and repeats all queries of the page when it is online again. */
import Alert from '@cloudscape-design/components/alert';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { connection, setConnection, useConnection } from '../api/connection.ts';
import { BASE } from '../session/config.ts';

export function OfflineBanner() {
  const { isOffline } = useConnection();
  const queries = useQueryClient();

  useEffect(() => {
    // A service on this machine responds even without a network, so `navigator.onLine` is not enough.
    const check = () =>
      fetch(`${BASE}/config.json`, { cache: 'no-store' }).then(
        () => undefined,
        () => setConnection({ isOffline: !navigator.onLine }),
      );
    const resume = () => {
      if (!connection().isOffline) return;
      setConnection({ isOffline: false });
      void queries.invalidateQueries();
    };
    window.addEventListener('offline', check);
    window.addEventListener('online', resume);
    return () => {
      window.removeEventListener('offline', check);
      window.removeEventListener('online', resume);
    };
  }, [queries]);

  if (!isOffline) return null;
  return (
    <Alert type="warning" header="You are offline">
      The page sends no requests until you are online again.
    </Alert>
  );
}
