/** Shows the endpoints that use a template, and the progress of their rollouts. */
import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import type { Release, TemplateInUse } from '../../api/management-types.ts';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import Table from '../../shell/table.tsx';
import { Time } from '../../shell/time.tsx';
import { useWorkers } from '../../template/queries.ts';
import { ReleaseState } from '../../template/release-state.tsx';

const isUnderWay = ({ release }: { release?: Release }) => release?.state === 'IN_PROGRESS';

export function UsersView({ template }: { readonly template: TemplateInUse }) {
  const { endpoints } = template;
  const workers = useWorkers(endpoints.filter(isUnderWay).map(({ id }) => id));
  return (
    <Table
      header={
        <Header variant="h2" counter={`(${endpoints.length})`} description="Only endpoints that you can see.">
          Endpoints that use this template
        </Header>
      }
      items={endpoints}
      trackBy="id"
      wrapLines
      ariaLabels={{ tableLabel: 'Endpoints that use this template' }}
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
          id: 'releases',
          header: 'Releases',
          cell: ({ id }) => <Link to={`${paths.endpoint(id)}?tab=releases`}>All releases of {id}</Link>,
          width: 220,
        },
        {
          id: 'started',
          header: 'Started',
          cell: ({ release }) => (release?.startedAt === undefined ? '-' : <Time at={release.startedAt} />),
          width: 200,
        },
      ]}
    />
  );
}
