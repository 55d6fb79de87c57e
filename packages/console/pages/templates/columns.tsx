/** Columns of the list of templates. */
import '../../template/template.css';
import Badge from '@cloudscape-design/components/badge';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import type { ListedTemplate } from '../../api/management-types.ts';
import { seen } from '../../json/display.ts';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import { kindOf, nameOfKind, shortImage } from '../../template/kind.ts';
import { duration, MINUTE } from '../../units.ts';

export const columns: readonly TableProps.ColumnDefinition<ListedTemplate>[] = [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    minWidth: 200,
    cell: ({ id, name, withdrawnAt, drift }) => (
      <SpaceBetween direction="horizontal" size="xs" alignItems="center">
        <Link to={paths.template(id)}>{seen(name)}</Link>
        {withdrawnAt !== undefined && <Badge color="severity-medium">Withdrawn</Badge>}
        {drift && <Badge color="severity-medium">Differs from Git</Badge>}
      </SpaceBetween>
    ),
  },
  { id: 'category', header: 'Category', cell: ({ category }) => category, width: 110 },
  {
    id: 'image',
    header: 'Container image',
    cell: ({ imageName }) => (
      <code className="template-value" title={imageName}>
        {shortImage(imageName)}
      </code>
    ),
    minWidth: 240,
  },
  { id: 'kind', header: 'Available to', cell: (template) => nameOfKind[kindOf(template)], width: 140 },
  { id: 'version', header: 'Version', cell: ({ version }) => `v${version}`, width: 100 },
  {
    id: 'ran',
    header: 'Run time',
    cell: ({ runtimeInMin }) => (runtimeInMin === 0 ? '0 m' : duration(runtimeInMin * MINUTE)),
    width: 130,
  },
];
