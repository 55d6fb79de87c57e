/** Shows one endpoint: why its jobs wait, what is running, and what has failed. */
import Alert from '@cloudscape-design/components/alert';
import Header from '@cloudscape-design/components/header';
import Skeleton from '@cloudscape-design/components/skeleton';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useParams } from 'wouter';
import type { Endpoint } from '../../api/management-types.ts';
import { costFigure } from '../../endpoint/cost-figure.tsx';
import { ReleaseLabel } from '../../endpoint/release-label.tsx';
import { useEndpoint } from '../../endpoint/use-endpoints.ts';
import { workerShare, workerStates } from '../../endpoint/worker-counts.ts';
import { Failure } from '../../shell/failure.tsx';
import { type Figure, Figures } from '../../shell/figures.tsx';
import { Freshness } from '../../shell/freshness.tsx';
import { Link } from '../../shell/link.tsx';
import { useParameters } from '../../shell/parameter.ts';
import { paths } from '../../shell/paths.ts';
import { useTitle } from '../../shell/title.ts';
import { count } from '../../units.ts';
import { Actions, Resumed } from './actions.tsx';
import { type Ends, endsOf } from './ends.ts';
import { type Period, periodOf } from './period.ts';
import type { Outcome } from './resume-button.tsx';
import { type TabId, tabOf, tabs } from './tabs.ts';
import { useAlarms, useSeries } from './use-history.ts';
import { WaitSummary, WaitSummarySkeleton } from './wait-summary.tsx';

// The page shows its numbers before the code of tables and charts is loaded.
const AlarmLine = lazy(() => import('../../endpoint/alarm-line.tsx'));
const Charts = lazy(() => import('./charts.tsx'));
const JobsView = lazy(() => import('./jobs-view.tsx'));
const FailuresTab = lazy(() => import('./failures-tab.tsx'));
const CostTab = lazy(() => import('./cost-tab.tsx'));
const WorkersTab = lazy(() => import('./workers-tab.tsx'));
const ReleasesTab = lazy(() => import('./releases-tab.tsx'));
const WebhooksTab = lazy(() => import('./webhooks-tab.tsx'));
const LogsTab = lazy(() => import('./logs-tab.tsx'));
const SettingsTab = lazy(() => import('./settings-tab.tsx'));

/** The figures of ended jobs are of the time of the charts, so that both say the same. */
function figuresOf(endpoint: Endpoint | undefined, { data, error }: ReturnType<typeof useSeries>): Figure[] {
  const { jobs } = endpoint?.health ?? {};
  const states = endpoint ? workerStates(endpoint.health.workers).map(({ text }) => text) : [];
  const ends = data && endsOf(data.series.total);
  const ended = (label: string, of: keyof Ends): Figure => ({
    label,
    value: ends ? count(ends[of]) : error === null ? undefined : '-',
    note: data?.range.name ?? '\u00a0',
  });
  return [
    { label: 'Waiting', value: jobs && count(jobs.inQueue) },
    { label: 'Running', value: jobs && count(jobs.inProgress) },
    {
      label: 'Workers ready',
      value: endpoint && workerShare(endpoint.health.workers, endpoint.maxWorkers),
      note: states.length > 0 ? states.join(', ') : '-',
    },
    ended('Completed', 'completed'),
    ended('Failed', 'failed'),
    ended('Requeued', 'requeued'),
    { label: 'Release', value: endpoint && <ReleaseLabel release={endpoint.release} /> },
    costFigure(endpoint && [endpoint]),
  ];
}

function contentOf(tab: TabId, id: string, endpoint: Endpoint | undefined, period: Period): ReactNode {
  if (tab === 'jobs') return <JobsView endpoint={id} period={period} />;
  if (tab === 'failures') return <FailuresTab endpoint={id} period={period} />;
  if (tab === 'cost') return <CostTab endpoint={id} period={period} />;
  if (tab === 'releases') return <ReleasesTab endpoint={id} details={endpoint} period={period} />;
  if (tab === 'webhooks') return <WebhooksTab endpoint={id} period={period} />;
  if (tab === 'logs') return <LogsTab endpoint={id} period={period} />;
  if (!endpoint) return <Skeleton height="320px" />;
  if (tab === 'workers') return <WorkersTab endpoint={endpoint} period={period} />;
  return <SettingsTab endpoint={endpoint} />;
}

function Unknown({ id }: { readonly id: string }) {
  return (
    <Alert type="warning" header={`No endpoint ${id}`}>
      The endpoint is not deployed, or your user may not call it. <Link to={paths.overview()}>Show all endpoints</Link>
    </Alert>
  );
}

export default function Page() {
  const { endpoint: id = '' } = useParams<{ endpoint: string }>();
  const { endpoint, data, error, dataUpdatedAt, refetch } = useEndpoint(id);
  const [parameters, change] = useParameters();
  const period = useMemo(() => periodOf(parameters), [parameters]);
  const alarms = useAlarms();
  const isUnknown = data !== undefined && !endpoint;
  const series = useSeries(id, period.range, !isUnknown);
  const [resumed, setResumed] = useState<Outcome | undefined>(undefined);
  const tab = tabOf(parameters.get('tab'));
  useTitle(id, tabs.find((one) => one.id === tab)?.label ?? '');

  return (
    <SpaceBetween size="l">
      <Header
        variant="h1"
        description={<Freshness since={dataUpdatedAt} error={error} />}
        actions={!isUnknown && <Actions id={id} endpoint={endpoint} onResumed={setResumed} />}
      >
        {id}
      </Header>
      {isUnknown && <Unknown id={id} />}
      {error !== null && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!isUnknown && (
        <SpaceBetween size="l">
          <div>
            <div className="notices" role="status">
              <Resumed id={id} outcome={resumed} onDismiss={() => setResumed(undefined)} />
            </div>
            {endpoint ? <WaitSummary endpoint={endpoint} /> : !error && <WaitSummarySkeleton />}
          </div>
          <Suspense fallback={<div className="alarms" />}>
            <AlarmLine
              alarms={alarms.data?.alarms.filter((alarm) => alarm.endpoint === id)}
              error={alarms.error}
              named={false}
            />
          </Suspense>
          {(endpoint || !error) && <Figures figures={figuresOf(endpoint, series)} />}
          <Suspense fallback={<Skeleton height="360px" />}>
            <Charts endpoint={id} query={series} alarms={alarms} />
          </Suspense>
          <Tabs
            activeTabId={tab}
            ariaLabel={`About ${id}`}
            onChange={({ detail }) =>
              change({
                tab: detail.activeTabId,
                status: undefined,
                cursor: undefined,
                size: undefined,
                view: undefined,
                worker: undefined,
              })
            }
            tabs={tabs.map(({ id: name, label }) => ({
              id: name,
              label,
              content: name === tab && (
                <Suspense fallback={<Skeleton height="320px" />}>{contentOf(tab, id, endpoint, period)}</Suspense>
              ),
            }))}
          />
        </SpaceBetween>
      )}
    </SpaceBetween>
  );
}
