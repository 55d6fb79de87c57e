/** Shows the versions of the service's interfaces from their OpenAPI descriptions. */

import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Link from '@cloudscape-design/components/link';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/session.tsx';
import { Failure } from '../../shell/failure.tsx';

interface Description {
  readonly info: { readonly title: string; readonly version: string };
}

const interfaces = [
  { label: 'Management interface', path: '/v1/openapi.json' },
  { label: 'Job interface', path: '/v2/openapi.json' },
] as const;

export function ServiceView() {
  const client = useClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['openapi'],
    queryFn: async ({ signal }) =>
      Promise.all(interfaces.map(async ({ path }) => (await client.json<Description>(path, { signal })).info.version)),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Container header={<Header variant="h2">Service</Header>}>
      {error && !data ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <KeyValuePairs
          columns={3}
          items={[
            ...interfaces.map(({ label, path }, index) => ({
              label,
              value: (
                <>
                  {data?.[index] ?? 'Loading'}{' '}
                  <Link href={path} external externalIconAriaLabel="Opens in a new tab">
                    Description
                  </Link>
                </>
              ),
            })),
            { label: 'Address', value: location.origin },
          ]}
        />
      )}
    </Container>
  );
}
