/** Shows what workers have printed, also before their first job. */
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { Lines } from '../../job/log-view.tsx';
import { Failure, NotUpdated } from '../../shell/failure.tsx';
import { Time } from '../../shell/time.tsx';
import { count } from '../../units.ts';
import { useWorkerLog, type WorkerLogWanted } from './use-worker-log.ts';

export function WorkerLog(wanted: WorkerLogWanted) {
  const { data, error, dataUpdatedAt, refetch } = useWorkerLog(wanted);
  const { endpoint, worker, since, follows } = wanted;
  if (!data) {
    if (error) return <Failure error={error} onRetry={() => void refetch()} />;
    return <StatusIndicator type="loading">Loading the log</StatusIndicator>;
  }
  const { texts, isCut } = data;
  return (
    <SpaceBetween size="s">
      {error && <NotUpdated error={error} since={dataUpdatedAt} />}
      <StatusIndicator type={follows ? 'in-progress' : 'success'}>
        {count(texts.length)} line{texts.length === 1 ? '' : 's'} since <Time at={since} />, times in UTC
        {follows && '. New lines are added'}
        {isCut && '. Further lines are in CloudWatch Logs'}
      </StatusIndicator>
      {texts.length === 0 ? (
        <Box color="text-body-secondary">Nothing was printed. Lines can arrive some seconds late.</Box>
      ) : (
        <Lines texts={texts} id={worker ?? endpoint} follows={follows} />
      )}
    </SpaceBetween>
  );
}
