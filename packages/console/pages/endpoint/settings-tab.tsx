/** Shows the settings of an endpoint and of its workers, and where they differ from Git. */
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import type { EndedWorkerList, Endpoint, EndpointDetails, TemplateInUse } from '../../api/management-types.ts';
import { dollars } from '../../endpoint/cost.ts';
import { Image } from '../../endpoint/image.tsx';
import { ReleaseLabel } from '../../endpoint/release-label.tsx';
import { seen } from '../../json/display.ts';
import { useClient } from '../../session/session.tsx';
import { Command } from '../../shell/command.tsx';
import { Failure } from '../../shell/failure.tsx';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import Table from '../../shell/table.tsx';
import { driftRows } from '../../template/drift.ts';
import { entriesOf, isConcealed, secretOf } from '../../template/env.ts';
import { useTemplate } from '../../template/queries.ts';
import { count, duration } from '../../units.ts';
import { ranges } from './period.ts';
import { stoppedWorkers } from './stopped-workers.tsx';
import { usePages } from './use-pages.ts';

const kinds = { NVIDIA: 'NVIDIA GPUs', AMD: 'AMD GPUs', CPU: 'Processors only' } as const;

function concurrencyOf({ health: { concurrency } }: Endpoint, details: EndpointDetails | undefined) {
  if (details?.concurrency !== undefined) return count(details.concurrency);
  if (!concurrency) return 'As its workers ask';
  return (
    <>
      {count(concurrency.jobs)}
      <Box fontSize="body-s" color="text-body-secondary">
        {concurrency.detail}
      </Box>
    </>
  );
}

/** Returns what ran the last worker that stopped in a week. The endpoint itself does not name its instances. */
function useLastInstance(endpoint: string): string | undefined {
  const { pages } = usePages<EndedWorkerList>(stoppedWorkers(endpoint, { range: ranges[2] }));
  const last = pages?.[0]?.workers[0];
  return last && [last.type, last.capacity].filter(Boolean).join(', pool ');
}

const shownVariable = (name: string, value: string) => {
  const secret = secretOf(value);
  if (secret !== undefined) return `Secret ${seen(secret)}`;
  return isConcealed(name, value) ? 'Hidden' : seen(value);
};

function Variables({ template: { env } }: { readonly template: TemplateInUse }) {
  return (
    <Table
      items={entriesOf(env)}
      trackBy={([name]) => name}
      contentDensity="compact"
      wrapLines
      columnDefinitions={[
        { id: 'name', header: 'Name', isRowHeader: true, cell: ([name]) => <code>{seen(name)}</code> },
        {
          id: 'value',
          header: 'Value',
          cell: ([name, value]) => <span className="anywhere">{shownVariable(name, value)}</span>,
        },
      ]}
      header={
        <Header
          variant="h2"
          counter={`(${Object.keys(env).length})`}
          description="Values that refer to secrets, or whose names suggest one, are not shown."
        >
          Environment variables
        </Header>
      }
      ariaLabels={{ tableLabel: 'Environment variables' }}
      empty="The template sets no variable."
    />
  );
}

const MAX_SHOWN = 120;

const shortened = (text: string) => (text.length > MAX_SHOWN ? `${seen(text.slice(0, MAX_SHOWN))}…` : seen(text));

function Drifted({ template }: { readonly template: TemplateInUse }) {
  const rows = driftRows(template);
  if (rows.length === 0) return null;
  return (
    <Alert type="warning" header={`Differs from ${template.declaredIn ?? 'Git'}`}>
      <ul>
        {rows.map(({ label, from, to, change: { by } }) => (
          <li key={label}>
            <b>{seen(label)}</b>, changed by {seen(by.name)}: <code>{shortened(to ?? 'removed')}</code> instead of{' '}
            <code>{shortened(from ?? 'nothing')}</code>
          </li>
        ))}
      </ul>
      <Link to={paths.template(template.id)}>Return to the file, or see when and why</Link>
    </Alert>
  );
}

interface Props {
  readonly endpoint: Endpoint;
}

export default function SettingsTab({ endpoint }: Props) {
  const client = useClient();
  const { id, image, minWorkers, maxWorkers, executionTimeout, release, template: used, workerPrice } = endpoint;
  const {
    data: details,
    error,
    refetch,
  } = useQuery({
    queryKey: ['endpoint-details', id],
    queryFn: ({ signal }) => client.json<EndpointDetails>(`/v1/endpoints/${encodeURIComponent(id)}`, { signal }),
  });
  const { data: template } = useTemplate(used?.id ?? '', false);
  const instance = useLastInstance(id);
  const pending = error ? 'Unknown' : '…';
  const items: KeyValuePairsProps.Item[] = [
    { label: 'Image', value: image === undefined ? "From another owner's private template" : <Image name={image} /> },
    {
      label: 'Template',
      value: used ? (
        <>
          <Link to={paths.template(used.id)}>{used.name ?? used.id}</Link>
          {used.version !== undefined && `, version ${used.version}`}
          {details?.pinTemplate !== undefined && `, pinned to version ${details.pinTemplate}`}
        </>
      ) : (
        '-'
      ),
    },
    { label: 'Release', value: <ReleaseLabel release={release} /> },
    { label: 'Capacity', value: details ? kinds[details.category] : pending },
    { label: 'Instance of the last stopped worker', value: instance ?? 'None within 7 days' },
    {
      label: 'Price of a worker',
      value: workerPrice ? `${dollars(workerPrice.hour)} an hour in ${workerPrice.region}` : 'Unknown, such as on Spot',
    },
    { label: 'Workers', value: `${count(minWorkers)} to ${count(maxWorkers)}` },
    { label: 'Idle time-out of a worker', value: details ? duration(details.idleTimeout) : pending },
    { label: 'Concurrent jobs of a worker', value: concurrencyOf(endpoint, details) },
    { label: 'Maximum run time of a job', value: `${duration(executionTimeout)}, unless the job sets another` },
    {
      label: 'Protocol',
      value: details ? (details.protocol === 'http' ? 'HTTP server' : 'Worker that asks for jobs') : pending,
    },
    {
      label: 'Disk, volume of a worker',
      value: template ? `${template.containerDiskInGb} GB, ${template.volumeInGb} GB` : '-',
    },
  ];
  return (
    <SpaceBetween size="l">
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {template && <Drifted template={template} />}
      <Container
        header={
          <Header
            variant="h2"
            description={
              <>
                Declared in Git, in <code>endpoints/{id}.yaml</code>: change the file and deploy. Image, disks and
                variables are those of the template
                {template?.declaredIn === undefined ? (
                  ', which its page changes.'
                ) : (
                  <>
                    , declared in <code>{template.declaredIn}</code>.
                  </>
                )}
              </>
            }
          >
            Settings
          </Header>
        }
      >
        <KeyValuePairs columns={3} minColumnWidth={200} items={items} />
        <Box padding={{ top: 'l' }}>
          <Box variant="awsui-key-label">Address of the endpoint</Box>
          <Command label="Address of the endpoint" text={`${location.origin}/v2/${id}`} />
        </Box>
      </Container>
      {template && <Variables template={template} />}
    </SpaceBetween>
  );
}
