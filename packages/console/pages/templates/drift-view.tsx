/** Shows the fields of a template that differ from its file in Git, and returns them to the file. */
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import { lazy, Suspense, useState } from 'react';
import type { Drift, TemplateInUse } from '../../api/management-types.ts';
import { seen } from '../../json/display.ts';
import { Failure } from '../../shell/failure.tsx';
import { PermittedButton } from '../../shell/permitted-button.tsx';
import Table from '../../shell/table.tsx';
import { Time } from '../../shell/time.tsx';
import { Value } from '../../template/comparison.tsx';
import { declaredChanges, driftRows } from '../../template/drift.ts';
import { useUpdate } from '../../template/queries.ts';

const ReviewModal = lazy(() => import('../template-editor/review-modal.tsx'));

function ChangedBy({ change: { by, at, reason } }: { readonly change: Drift }) {
  return (
    <>
      {by.kind === 'key' ? 'Key' : 'User'} {seen(by.name)}, <Time at={at} />
      {reason !== undefined && <Box color="text-body-secondary">{seen(reason)}</Box>}
    </>
  );
}

export function DriftView({ template }: { readonly template: TemplateInUse }) {
  const [isReviewed, setReviewed] = useState(false);
  const update = useUpdate(template.id);
  const changes = declaredChanges(template);
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={
            <>
              These fields were changed since <code>{template.declaredIn}</code> was deployed. The next deployment that
              changes the file sets them again. To keep a value, write it into the file.
            </>
          }
          actions={
            <PermittedButton operation="update-template" onClick={() => setReviewed(true)}>
              Return to the file
            </PermittedButton>
          }
        >
          Differs from Git
        </Header>
      }
    >
      {update.error && <Failure error={update.error} />}
      <Table
        variant="embedded"
        wrapLines
        items={driftRows(template)}
        trackBy="label"
        ariaLabels={{ tableLabel: 'Differences from Git' }}
        columnDefinitions={[
          { id: 'field', header: 'Field', isRowHeader: true, cell: ({ label }) => label },
          { id: 'from', header: 'In the file', cell: ({ from }) => <Value text={from} absent="Not set" /> },
          { id: 'to', header: 'Now', cell: ({ to }) => <Value text={to} absent="Removed" /> },
          { id: 'by', header: 'Changed by', cell: ({ change }) => <ChangedBy change={change} /> },
        ]}
      />
      {isReviewed && (
        <Suspense fallback={null}>
          <ReviewModal
            filled={template}
            present={template}
            changes={changes}
            cancel="Cancel"
            isSaving={update.isPending}
            onSave={() => update.mutate(changes, { onSettled: () => setReviewed(false) })}
            onDismiss={() => setReviewed(false)}
          />
        </Suspense>
      )}
    </Container>
  );
}
