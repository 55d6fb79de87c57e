/** Lists, creates and revokes the API keys of clients. */
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TextFilter from '@cloudscape-design/components/text-filter';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { CreatedKey } from '../../api/management-types.ts';
import { usePermission } from '../../session/permission.ts';
import { Failure, NotUpdated } from '../../shell/failure.tsx';
import { useParameters } from '../../shell/parameter.ts';
import { PermittedButton } from '../../shell/permitted-button.tsx';
import Table from '../../shell/table.tsx';
import { useTitle } from '../../shell/title.ts';
import { columnsFor } from './columns.tsx';
import type { ApiKey } from './key.ts';
import { useKeys, useUses } from './queries.ts';

// The list does not need these 40 KB of forms. They load with the first dialog.
const CreateModal = lazy(() => import('./create-modal.tsx'));
const SecretModal = lazy(() => import('./secret-modal.tsx'));
const RevokeModal = lazy(() => import('./revoke-modal.tsx'));

const DESCRIPTION = 'Clients send a key with each request. The service stores only a hash of each key.';

const matches = ({ id, name, owner }: ApiKey, text: string) =>
  [id, name, owner].some((value) => value.toLowerCase().includes(text.trim().toLowerCase()));

function Empty({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Box color="text-body-secondary">No key matches the search.</Box>;
  return (
    <Box textAlign="center" color="text-body-secondary">
      <Box variant="strong">No API keys yet</Box>
      <Box variant="p" color="text-body-secondary">
        Create a key for each client, so that you can revoke each key separately.
      </Box>
    </Box>
  );
}

export default function Page() {
  useTitle('API keys');
  const permission = usePermission('list-keys');
  const { data, error, isPending, dataUpdatedAt, refetch } = useKeys(!permission.disabled);
  const uses = useUses(!permission.disabled);
  const [query, setParameters] = useParameters();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedKey>();
  const [revoking, setRevoking] = useState<ApiKey>();
  const text = query.get('search') ?? '';
  const columns = useMemo(() => columnsFor(uses, setRevoking), [uses]);
  const found = (data?.keys ?? []).filter((key) => matches(key, text));
  const header = (
    <Header
      variant="h1"
      description={DESCRIPTION}
      {...(data && { counter: `(${data.keys.length})` })}
      actions={
        <PermittedButton operation="create-key" variant="primary" onClick={() => setCreating(true)}>
          Create API key
        </PermittedButton>
      }
    >
      API keys
    </Header>
  );

  if (permission.disabledReason !== undefined || (error && !data))
    return (
      <SpaceBetween size="m">
        {header}
        {permission.disabledReason !== undefined ? (
          <Alert header="You have no access to API keys">{permission.disabledReason}</Alert>
        ) : (
          <Failure error={error} onRetry={() => void refetch()} />
        )}
      </SpaceBetween>
    );
  return (
    <SpaceBetween size="m">
      {error && <NotUpdated error={error} since={dataUpdatedAt} />}
      <Table
        variant="full-page"
        trackBy="id"
        header={header}
        filter={
          <TextFilter
            filteringText={text}
            filteringAriaLabel="Find API keys"
            filteringPlaceholder="Find by name, owner or id"
            filteringClearAriaLabel="Clear the search"
            countText={text === '' ? '' : `${found.length} ${found.length === 1 ? 'key' : 'keys'}`}
            onChange={({ detail }) => setParameters({ search: detail.filteringText }, { replace: true })}
          />
        }
        items={found}
        columnDefinitions={columns}
        loading={isPending}
        loadingText="Loading API keys"
        wrapLines
        ariaLabels={{ tableLabel: 'API keys' }}
        empty={<Empty isFiltered={text !== ''} />}
      />
      <Suspense fallback={null}>
        {isCreating && (
          <CreateModal
            onCreated={(key) => {
              setCreating(false);
              setCreated(key);
            }}
            onDismiss={() => setCreating(false)}
          />
        )}
        {created && <SecretModal created={created} onDismiss={() => setCreated(undefined)} />}
        {revoking && <RevokeModal apiKey={revoking} onDismiss={() => setRevoking(undefined)} />}
      </Suspense>
    </SpaceBetween>
  );
}
