/** Shows the signed-in user and the user's permissions. */
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Skeleton from '@cloudscape-design/components/skeleton';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { groupFor } from '../../session/groups.ts';
import { useSession } from '../../session/session.tsx';
import { Failure } from '../../shell/failure.tsx';
import { rightsOf } from './rights.ts';

export function SessionView() {
  const { data: session, error, refetch } = useSession();
  return (
    <Container header={<Header variant="h2">Signed in</Header>}>
      {error && !session && <Failure error={error} onRetry={() => void refetch()} />}
      {!session && !error && <Skeleton height="240px" />}
      {session && (
        <SpaceBetween size="l">
          <KeyValuePairs
            columns={3}
            items={[
              { label: 'User', value: session.user },
              { label: 'Groups', value: session.groups.join(', ') || 'None' },
              { label: 'Owner', value: session.owner },
            ]}
          />
          <KeyValuePairs
            columns={1}
            items={[
              {
                label: 'You can',
                value: (
                  <SpaceBetween size="xxs">
                    {rightsOf(session.operations).map(({ text, isGranted, operation }) => (
                      <StatusIndicator key={text} type={isGranted ? 'success' : 'stopped'}>
                        {isGranted ? text : `${text}: needs the group "${groupFor(operation)}"`}
                      </StatusIndicator>
                    ))}
                  </SpaceBetween>
                ),
              },
            ]}
          />
        </SpaceBetween>
      )}
    </Container>
  );
}
