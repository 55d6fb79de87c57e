/** Shows the endpoints that use a template, the progress of their rollouts, and the releases of one endpoint. */
import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Release, TemplateInUse } from '../../api/management-types.ts';
import { Link } from '../../shell/link.tsx';
import { useParameters } from '../../shell/parameter.ts';
import { paths } from '../../shell/paths.ts';
import Table from '../../shell/table.tsx';
import { Time } from '../../shell/time.tsx';
import { useWorkers } from '../../template/queries.ts';
import { ReleaseState } from '../../template/release-state.tsx';
import { ReleasesView } from './releases-view.tsx';

const isUnderWay = ({ release }: { release?: Release }) => release?.state === 'IN_PROGRESS';

export function UsersView({ template }: { readonly template: TemplateInUse }) {
  const { endpoints } = template;
  const workers = useWorkers(endpoints.filter(isUnderWay).map(({ id }) => id));
  const [query, setParameters] = useParameters();
  const chosen = endpoints.find(({ id }) => id === query.get('endpoint')) ?? endpoints[0];
  return (
    <SpaceBetween size="l">
      <Table
        header={
          <Header variant="h2" counter={`(${endpoints.length})`} description="Only endpoints that you can see.">
            Endpoints that use this template
          </Header>
        }
        items={endpoints}
        trackBy="id"
        wrapLines
        {...(endpoints.length > 1 && { selectionType: 'single' as const })}
        selectedItems={chosen ? [chosen] : []}
        onSelectionChange={({ detail }) => setParameters({ endpoint: detail.selectedItems[0]?.id }, { replace: true })}
        ariaLabels={{
          tableLabel: 'Endpoints that use this template',
          selectionGroupLabel: 'Endpoint whose releases are shown',
          itemSelectionLabel: (_, { id }) => `Show the releases of ${id}`,
        }}
        empty={
          <Box textAlign="center" color="text-body-secondary">
            No endpoint uses this template. To use it, set <code>template: {template.id}</code> in a file of endpoints/.
          </Box>
        }
        columnDefinitions={[
          {
            id: 'endpoint',
            header: 'Endpoint',
            isRowHeader: true,
            cell: ({ id }) => <Link to={paths.endpoint(id)}>{id}</Link>,
            width: 240,
          },
          {
            id: 'release',
            header: 'Last release',
            cell: ({ id, release }) => <ReleaseState release={release} workers={workers.get(id)} />,
          },
          {
            id: 'version',
            header: 'Version',
            cell: ({ release }) => (release?.version === undefined ? '-' : `v${release.version}`),
            width: 110,
          },
          {
            id: 'started',
            header: 'Started',
            cell: ({ release }) => (release?.startedAt === undefined ? '-' : <Time at={release.startedAt} />),
            width: 200,
          },
        ]}
      />
      {chosen && <ReleasesView endpoint={chosen.id} template={template.id} />}
    </SpaceBetween>
  );
}
