/** Columns of the list of keys. */
import Badge from '@cloudscape-design/components/badge';
import Box from '@cloudscape-design/components/box';
import { seen } from '../../json/display.ts';
import { PermittedButton } from '../../shell/permitted-button.tsx';
import type { TableProps } from '../../shell/table.tsx';
import { Time } from '../../shell/time.tsx';
import { type ApiKey, EVERY, isExpired } from './key.ts';
import { LastUse, Spent, type Uses } from './use-cells.tsx';

const listed = (values: readonly string[], every: string) => {
  if (values.includes(EVERY)) return every;
  return values.length === 0 ? <Box color="text-body-secondary">None</Box> : values.join(', ');
};

export const columnsFor = (
  uses: Uses,
  onRevoke: (key: ApiKey) => void,
): readonly TableProps.ColumnDefinition<ApiKey>[] => [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    cell: (key) => (
      <>
        {seen(key.name)} {isExpired(key, Date.now()) && <Badge color="grey">Expired</Badge>}
        <Box fontSize="body-s" color="text-body-secondary">
          <code>{key.id}</code>
        </Box>
      </>
    ),
  },
  { id: 'owner', header: 'Owner', cell: ({ owner }) => owner, width: 130 },
  { id: 'endpoints', header: 'Endpoints', cell: ({ endpoints }) => listed(endpoints, 'Every endpoint') },
  { id: 'operations', header: 'Operations', cell: ({ operations }) => listed(operations, 'Every operation') },
  { id: 'scopes', header: 'Templates', cell: ({ scopes }) => listed(scopes, 'Every scope') },
  { id: 'use', header: 'Last use (UTC)', cell: (key) => <LastUse apiKey={key} uses={uses} />, width: 185 },
  { id: 'cost', header: 'Cost and limit', cell: (key) => <Spent apiKey={key} uses={uses} />, width: 180 },
  {
    id: 'expires',
    header: 'Expires',
    cell: ({ createdAt, expiresAt }) => (
      <>
        {expiresAt === undefined ? 'Never' : <Time at={expiresAt} />}
        <Box fontSize="body-s" color="text-body-secondary">
          Created <Time at={createdAt} />
        </Box>
      </>
    ),
    width: 170,
  },
  {
    id: 'revoke',
    header: 'Action',
    cell: (key) => (
      <PermittedButton
        operation="revoke-key"
        ariaLabel={`Revoke ${key.name}`}
        wrapText={false}
        onClick={() => onRevoke(key)}
      >
        Revoke
      </PermittedButton>
    ),
    width: 120,
  },
];
