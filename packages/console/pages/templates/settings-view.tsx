/** Shows all settings of a template. */
import '../../template/template.css';
import Badge from '@cloudscape-design/components/badge';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TemplateInUse } from '../../api/management-types.ts';
import Table from '../../shell/table.tsx';
import { Time } from '../../shell/time.tsx';
import { shown } from '../../template/difference.ts';
import { entriesOf, isConcealed, secretOf } from '../../template/env.ts';
import { fields } from '../../template/fields.ts';
import { kindOf, nameOfKind } from '../../template/kind.ts';
import { duration, MINUTE } from '../../units.ts';

function Copied({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <CopyToClipboard
      variant="inline"
      textToCopy={text}
      copyButtonAriaLabel={`Copy ${label}`}
      copySuccessText="Copied"
      copyErrorText="The browser does not allow copying"
    />
  );
}

const grey = (text: string) => <Box color="text-body-secondary">{text}</Box>;

function Value({ name, value }: { readonly name: string; readonly value: string }) {
  const secret = secretOf(value);
  if (secret !== undefined)
    return (
      <>
        <Badge color="grey">Secret</Badge> {secret}
      </>
    );
  if (isConcealed(name, value)) return grey('Hidden');
  return value === '' ? grey('Empty') : <code className="template-value">{value}</code>;
}

function Variables({ env }: Pick<TemplateInUse, 'env'>) {
  return (
    <Table
      variant="embedded"
      wrapLines
      trackBy="name"
      items={entriesOf(env).map(([name, value]) => ({ name, value }))}
      header={<Header variant="h3">{fields.env.label}</Header>}
      ariaLabels={{ tableLabel: fields.env.label }}
      empty="No variables"
      columnDefinitions={[
        { id: 'name', header: 'Name', isRowHeader: true, cell: ({ name }) => <code>{name}</code> },
        { id: 'value', header: 'Value', cell: ({ name, value }) => <Value name={name} value={value} /> },
      ]}
    />
  );
}

/** Fields without a special form. */
const plain = [
  ...(['category', 'containerDiskInGb', 'volumeInGb', 'volumeMountPath', 'containerRegistryAuthId'] as const),
  ...(['dockerEntrypoint', 'dockerStartCmd', 'ports'] as const),
];

export function SettingsView({ template }: { readonly template: TemplateInUse }) {
  const { earned, isServerless, runtimeInMin, withdrawnAt } = template;
  return (
    <Container header={<Header variant="h2">Settings</Header>}>
      <SpaceBetween size="l">
        <KeyValuePairs
          columns={3}
          items={[
            { label: fields.imageName.label, value: <Copied text={template.imageName} label="the image" /> },
            { label: 'Id', value: <Copied text={template.id} label="the id" /> },
            { label: 'Version', value: `v${template.version}` },
            { label: 'Available to', value: nameOfKind[kindOf(template)] },
            { label: 'Instances', value: isServerless ? 'Serverless workers' : 'Pods, which endpoints cannot run' },
            ...plain.map((field) => ({
              label: fields[field].label,
              value: <span className="template-value">{shown(field, template[field])}</span>,
            })),
            { label: 'Run time of workers', value: runtimeInMin === 0 ? '0 m' : duration(runtimeInMin * MINUTE) },
            ...(earned > 0 ? [{ label: 'Earned credits', value: String(earned) }] : []),
            ...(withdrawnAt === undefined ? [] : [{ label: 'Withdrawn', value: <Time at={withdrawnAt} /> }]),
          ]}
        />
        <Variables env={template.env} />
      </SpaceBetween>
    </Container>
  );
}
