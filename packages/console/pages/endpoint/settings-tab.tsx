/** Shows the settings that the service returns for an endpoint. */
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Endpoint } from '../../api/management-types.ts';
import { Image } from '../../endpoint/image.tsx';
import { ReleaseLabel } from '../../endpoint/release-label.tsx';
import { Command } from '../../shell/command.tsx';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import { fields, isField } from '../../template/fields.ts';
import { count, duration } from '../../units.ts';

const labelOf = (name: string) => (isField(name) ? fields[name].label : name);

function templateOf({ template }: Endpoint) {
  if (!template) return '-';
  const { id, name, version, driftedFields } = template;
  return (
    <>
      <Link to={paths.template(id)}>{name ?? id}</Link>
      {version !== undefined && `, version ${version}`}
      {driftedFields && (
        <div>
          <StatusIndicator type="warning">Differs from Git: {driftedFields.map(labelOf).join(', ')}</StatusIndicator>
        </div>
      )}
    </>
  );
}

function concurrencyOf({ health: { concurrency } }: Endpoint) {
  if (!concurrency) return 'As set in its file';
  return (
    <>
      {count(concurrency.jobs)}
      <Box fontSize="body-s" color="text-body-secondary">
        {concurrency.detail}
      </Box>
    </>
  );
}

export default function SettingsTab({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, image, minWorkers, maxWorkers, executionTimeout, release } = endpoint;
  const items: KeyValuePairsProps.Item[] = [
    { label: 'Image', value: image === undefined ? "From another owner's private template" : <Image name={image} /> },
    { label: 'Template', value: templateOf(endpoint) },
    { label: 'Release', value: <ReleaseLabel release={release} /> },
    { label: 'Minimum workers', value: count(minWorkers) },
    { label: 'Maximum workers', value: count(maxWorkers) },
    { label: 'Concurrent jobs of a worker', value: concurrencyOf(endpoint) },
    { label: 'Maximum run time of a job', value: `${duration(executionTimeout)}, unless the job sets another` },
  ];
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={
            <>
              Declared in Git, in <code>endpoints/{id}.yaml</code>. Change the file and deploy. The image is that of the
              template, which can also be changed on its page.
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
  );
}
