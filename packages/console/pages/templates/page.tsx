/** Lists all templates by category. */
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Pagination from '@cloudscape-design/components/pagination';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useLocation } from 'wouter';
import { BASE } from '../../session/config.ts';
import { Failure, NotUpdated } from '../../shell/failure.tsx';
import { useParameters } from '../../shell/parameter.ts';
import { paths } from '../../shell/paths.ts';
import { PermittedButton } from '../../shell/permitted-button.tsx';
import Table from '../../shell/table.tsx';
import { useTitle } from '../../shell/title.ts';
import { filtered, filterOf } from '../../template/kind.ts';
import { useTemplates } from '../../template/queries.ts';
import { columns } from './columns.tsx';
import { TemplateFilter } from './filter.tsx';

const PAGE = 20;

function CreateButton() {
  const [, navigate] = useLocation();
  return (
    <PermittedButton
      operation="create-template"
      variant="primary"
      href={`${BASE}${paths.newTemplate()}`}
      onFollow={(event) => {
        event.preventDefault();
        navigate(paths.newTemplate());
      }}
    >
      Create template
    </PermittedButton>
  );
}

function Empty({ isFiltered }: { readonly isFiltered: boolean }) {
  const [, navigate] = useLocation();
  if (isFiltered)
    return (
      <SpaceBetween size="xs" alignItems="center">
        <Box color="text-body-secondary">No template matches the filters.</Box>
        <Button onClick={() => navigate(paths.templates(), { replace: true })}>Clear the filters</Button>
      </SpaceBetween>
    );
  return (
    <Box textAlign="center" color="text-body-secondary">
      <Box variant="strong">No templates yet</Box>
      <Box variant="p" color="text-body-secondary">
        A template is a container image with its settings. Endpoints run workers from it.
      </Box>
    </Box>
  );
}

export default function Page() {
  useTitle('Templates');
  const list = useTemplates();
  const [query, setParameters] = useParameters();
  const filter = filterOf(query);
  const found = filtered(list.templates, filter);
  const pages = Math.max(1, Math.ceil(found.length / PAGE));
  const page = Math.min(pages, Math.max(1, Number.parseInt(query.get('page') ?? '', 10) || 1));
  const isFiltered = filter.category !== undefined || filter.kind !== undefined || filter.text !== '';

  if (list.error && !list.isStale)
    return (
      <SpaceBetween size="m">
        <Header variant="h1">Templates</Header>
        <Failure error={list.error} onRetry={list.retry} />
      </SpaceBetween>
    );
  return (
    <SpaceBetween size="m">
      {list.error !== undefined && <NotUpdated error={list.error} since={list.updatedAt} />}
      {list.isCut && (
        <Alert type="info">
          This list has the first 1,000 templates of each category. GET /v1/templates returns all of them.
        </Alert>
      )}
      <Table
        variant="full-page"
        trackBy="id"
        header={
          <Header
            variant="h1"
            counter={list.isLoading ? '' : `(${list.templates.length})`}
            description="Container images and their settings. Changes roll out to the endpoints that use a template."
            actions={<CreateButton />}
          >
            Templates
          </Header>
        }
        filter={<TemplateFilter filter={filter} templates={list} found={found.length} />}
        columnDefinitions={columns}
        items={list.isLoading ? [] : found.slice((page - 1) * PAGE, page * PAGE)}
        loading={list.isLoading}
        loadingText="Loading templates"
        wrapLines
        ariaLabels={{ tableLabel: 'Templates' }}
        renderAriaLive={({ visibleItemsCount }) => `${visibleItemsCount} of ${found.length} templates`}
        empty={<Empty isFiltered={isFiltered} />}
        pagination={
          pages > 1 && (
            <Pagination
              currentPageIndex={page}
              pagesCount={pages}
              ariaLabels={{
                nextPageLabel: 'Next page',
                previousPageLabel: 'Previous page',
                pageLabel: (number) => `Page ${number}`,
              }}
              onChange={({ detail }) => setParameters({ page: String(detail.currentPageIndex) })}
            />
          )
        }
      />
    </SpaceBetween>
  );
}
