/** Shows one template: its settings, its readme, and the endpoints that use it. */
import Badge from '@cloudscape-design/components/badge';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { lazy, Suspense, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import type { TemplateInUse } from '../../api/management-types.ts';
import { seen } from '../../json/display.ts';
import { Readme } from '../../readme/readme.tsx';
import { Failure, NotUpdated } from '../../shell/failure.tsx';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import { PermittedButton } from '../../shell/permitted-button.tsx';
import { useTitle } from '../../shell/title.ts';
import { useTemplate } from '../../template/queries.ts';
import { readOnlyReason } from '../template-editor/editable.ts';
import { DriftView } from './drift-view.tsx';
import { SettingsView } from './settings-view.tsx';
import { TemplateSkeleton } from './template-skeleton.tsx';
import { UsersView } from './users-view.tsx';

// Loaded only for a deletion, which is rare.
const DeleteModal = lazy(() => import('./delete-modal.tsx'));

interface ActionsProps {
  readonly template: TemplateInUse;
  readonly onDelete: () => void;
}

function Actions({ template, onDelete }: ActionsProps) {
  const [, navigate] = useLocation();
  const reason = readOnlyReason(template);
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <PermittedButton operation="remove-template" refusal={reason} onClick={onDelete}>
        Delete
      </PermittedButton>
      <PermittedButton
        operation="create-template"
        onClick={() => navigate(`${paths.newTemplate()}?from=${encodeURIComponent(template.id)}`)}
      >
        Copy
      </PermittedButton>
      <PermittedButton
        operation="update-template"
        variant="primary"
        refusal={reason}
        onClick={() => navigate(paths.editTemplate(template.id))}
      >
        Edit
      </PermittedButton>
    </SpaceBetween>
  );
}

export default function Page() {
  const { template: id = '' } = useParams<{ template: string }>();
  const { data: template, error, isPending, dataUpdatedAt, refetch } = useTemplate(id, true);
  const [isDeleting, setDeleting] = useState(false);
  useTitle(template?.name ?? id, 'Templates');

  return (
    <SpaceBetween size="l">
      <Link to={paths.templates()}>All templates</Link>
      {isPending && <TemplateSkeleton name={id} />}
      {error && !template && (
        <SpaceBetween size="l">
          <Header variant="h1">{id}</Header>
          <Failure error={error} onRetry={() => void refetch()} />
        </SpaceBetween>
      )}
      {error && template && <NotUpdated error={error} since={dataUpdatedAt} />}
      {template && (
        <SpaceBetween size="l">
          <Header
            variant="h1"
            {...(template.withdrawnAt !== undefined && {
              info: <Badge color="severity-medium">Withdrawn</Badge>,
              description:
                'The template file in Git was deleted. Only endpoints that already use the template can still use it.',
            })}
            {...(template.declaredIn !== undefined && {
              description: (
                <>
                  Declared in Git, in <code>{template.declaredIn}</code>.
                </>
              ),
            })}
            actions={<Actions template={template} onDelete={() => setDeleting(true)} />}
          >
            {seen(template.name)}
          </Header>
          {template.drift && <DriftView template={template} />}
          <SettingsView template={template} />
          <UsersView template={template} />
          <Container header={<Header variant="h2">Readme</Header>}>
            <Readme text={template.readme} />
          </Container>
          {isDeleting && (
            <Suspense fallback={null}>
              <DeleteModal template={template} onDismiss={() => setDeleting(false)} />
            </Suspense>
          )}
        </SpaceBetween>
      )}
    </SpaceBetween>
  );
}
