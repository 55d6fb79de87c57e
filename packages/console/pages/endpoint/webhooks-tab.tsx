/** Shows the failed webhooks with their errors, and resends one or all of them. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { FailedWebhook, WebhookList } from '../../api/job-types.ts';
import { every } from '../../api/polling.ts';
import { seen } from '../../json/display.ts';
import { usePermission } from '../../session/permission.ts';
import { useClient } from '../../session/session.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Freshness } from '../../shell/freshness.tsx';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import Table, { type TableProps } from '../../shell/table.tsx';
import { Time } from '../../shell/time.tsx';
import { count } from '../../units.ts';
import { allFailed, failureOf, keyOf, resendPath } from './failed-deliveries.ts';
import { isIn, type Period } from './period.ts';

const BulkDialog = lazy(() => import('../../shell/bulk-dialog.tsx'));

const INTERVAL = 15_000;
const PAGE = 100;

interface ResendProps {
  readonly webhook: FailedWebhook;
  readonly onStart: (webhooks: readonly FailedWebhook[]) => void;
}

function Resend({ webhook, onStart }: ResendProps) {
  const permission = usePermission('resend');
  return (
    <Button
      variant="inline-link"
      {...permission}
      ariaLabel={`Resend the webhook of ${webhook.id}`}
      onClick={() => onStart([webhook])}
    >
      Resend
    </Button>
  );
}

const columnsOf = (
  endpoint: string,
  onStart: ResendProps['onStart'],
): readonly TableProps.ColumnDefinition<FailedWebhook>[] => [
  {
    id: 'job',
    header: 'Job',
    isRowHeader: true,
    cell: ({ id }) => (
      <Link to={paths.job(endpoint, id)}>
        <span className="id">{id}</span>
      </Link>
    ),
  },
  { id: 'failed', header: 'Failed', minWidth: 150, cell: ({ failedAt }) => <Time at={failedAt} /> },
  { id: 'why', header: 'Last attempt', minWidth: 260, cell: (webhook) => failureOf(webhook) },
  {
    id: 'receiver',
    header: 'Receiver',
    minWidth: 200,
    cell: ({ receiver }) => (receiver === undefined ? '-' : <span className="anywhere">{seen(receiver)}</span>),
  },
  { id: 'attempts', header: 'Attempts', cell: ({ attempts }) => count(attempts) },
  { id: 'resent', header: 'Resent', cell: ({ resent }) => count(resent) },
  { id: 'resend', header: 'Action', cell: (webhook) => <Resend webhook={webhook} onStart={onStart} /> },
];

interface Props {
  readonly endpoint: string;
  readonly period: Period;
}

export default function WebhooksTab({ endpoint, period }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const permission = usePermission('resend');
  const [chosen, setChosen] = useState<readonly FailedWebhook[] | undefined>(undefined);
  const [collecting, setCollecting] = useState<{ readonly error?: unknown } | undefined>(undefined);
  const path = `/v2/${encodeURIComponent(endpoint)}`;
  const read = (cursor: string | undefined, signal?: AbortSignal) =>
    client.json<WebhookList>(`${path}/webhooks`, { query: { limit: PAGE, cursor }, ...(signal && { signal }) });
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['webhooks', endpoint],
    queryFn: ({ signal }) => read(undefined, signal),
    refetchInterval: every(INTERVAL),
  });
  if (!data && error) return <Failure error={error} onRetry={() => void refetch()} />;

  async function chooseAll() {
    setCollecting({});
    try {
      setChosen(await allFailed(read));
      setCollecting(undefined);
    } catch (problem) {
      setCollecting({ error: problem });
    }
  }

  const listed = data?.webhooks.filter(({ failedAt }) => isIn(period, failedAt)) ?? [];
  const amount = chosen && (chosen.length === 1 ? '1 webhook' : `${count(chosen.length)} webhooks`);
  return (
    <>
      {collecting?.error !== undefined && <Failure error={collecting.error} onRetry={() => void chooseAll()} />}
      <Table
        items={listed}
        columnDefinitions={columnsOf(endpoint, setChosen)}
        trackBy={keyOf}
        loading={!data}
        loadingText="Loading webhooks"
        skeleton={{ totalRows: 3 }}
        contentDensity="compact"
        wrapLines
        header={
          <Header
            variant="h2"
            counter={data && `(${listed.length}${data.nextCursor === undefined ? '' : '+'})`}
            description={
              <>
                Deliveries that have failed, newest first. You can resend them for about a day after the job has ended.
                <Freshness since={dataUpdatedAt} error={error} />
              </>
            }
            actions={
              <Button
                {...(permission.disabled ? permission : { disabled: listed.length === 0 })}
                loading={collecting !== undefined && collecting.error === undefined}
                onClick={() => void chooseAll()}
              >
                Resend all
              </Button>
            }
          >
            Failed webhooks
          </Header>
        }
        ariaLabels={{ tableLabel: 'Failed webhooks' }}
        empty={period.since === undefined ? 'No delivery has failed.' : 'No delivery has failed in the selected time.'}
      />
      {chosen && (
        <Suspense>
          <BulkDialog
            title={`Resend ${amount}`}
            verb="Resend"
            ids={chosen.map(keyOf)}
            request={(key) => client.send(`${path}${resendPath(key)}`, { method: 'POST' })}
            onClose={() => setChosen(undefined)}
            onDone={() => void queries.invalidateQueries({ queryKey: ['webhooks', endpoint] })}
          >
            <Box variant="p">
              The receiver is called again with the same id in the header webhook-id. A delivery that fails again
              appears in this list again.
            </Box>
          </BulkDialog>
        </Suspense>
      )}
    </>
  );
}
