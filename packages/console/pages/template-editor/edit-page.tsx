/** Changes a template: shows the form, then a review of the changes, then sends the request. */
import Alert from '@cloudscape-design/components/alert';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { ApiError } from '../../api/error.ts';
import { type FormErrors, noErrors } from '../../api/field-errors.ts';
import type { TemplateInUse } from '../../api/management-types.ts';
import { Failure } from '../../shell/failure.tsx';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import { useTitle } from '../../shell/title.ts';
import { useFreshTemplate, useTemplate, useUpdate } from '../../template/queries.ts';
import { changesOf, draftOf } from './draft.ts';
import { readOnlyReason } from './editable.ts';
import { formErrors } from './field-errors.ts';
import { TemplateForm } from './template-form.tsx';

const ReviewModal = lazy(() => import('./review-modal.tsx'));

const errorsOf = (error: unknown): FormErrors =>
  error instanceof ApiError ? formErrors(error) : { fields: {}, general: String(error) };

function EditTemplate({ template }: { readonly template: TemplateInUse }) {
  const [draft, setDraft] = useState(() => draftOf(template));
  const [errors, setErrors] = useState(noErrors);
  const [present, setPresent] = useState<TemplateInUse>();
  const [isReading, setReading] = useState(false);
  const [, navigate] = useLocation();
  const readFresh = useFreshTemplate(template.id);
  const update = useUpdate(template.id);
  const changes = changesOf(template, draft);
  const isChanged = Object.keys(changes).length > 0;

  async function review() {
    setErrors(noErrors);
    setReading(true);
    try {
      setPresent(await readFresh());
    } catch (error) {
      setErrors(errorsOf(error));
    } finally {
      setReading(false);
    }
  }

  function save(reason: string) {
    update.mutate(reason === '' ? changes : { ...changes, reason }, {
      onSuccess: () => navigate(paths.template(template.id)),
      onError: (error) => {
        setPresent(undefined);
        setErrors(errorsOf(error));
      },
    });
  }

  return (
    <>
      <TemplateForm
        title={`Edit ${template.name}`}
        description="Before you save, you can review the changes and the endpoints that they affect."
        isNew={false}
        draft={draft}
        onChange={setDraft}
        errors={errors}
        isChanged={isChanged && !update.isSuccess}
        submit={{
          operation: 'update-template',
          text: 'Review changes',
          isRunning: isReading,
          refusal: isChanged ? undefined : 'There are no changes to review yet.',
          run: () => void review(),
        }}
        onCancel={() => navigate(paths.template(template.id))}
      />
      {present && (
        <Suspense fallback={null}>
          <ReviewModal
            filled={template}
            present={present}
            changes={changes}
            cancel="Keep editing"
            isSaving={update.isPending}
            onSave={save}
            onDismiss={() => setPresent(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Shown instead of the form if the template cannot be loaded or changed. */
function Fixed({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <SpaceBetween size="l">
      <Header variant="h1">{title}</Header>
      {children}
    </SpaceBetween>
  );
}

export default function Page() {
  const { template: id = '' } = useParams<{ template: string }>();
  // The form is filled only once, because a later response must not overwrite typed text.
  const { data, error, isFetchedAfterMount, refetch } = useTemplate(id, false);
  const [filled, setFilled] = useState<TemplateInUse>();
  useTitle(filled ? `Edit ${filled.name}` : 'Edit template');
  if (filled) return <EditTemplate key={filled.id} template={filled} />;
  if (error)
    return (
      <Fixed title={id}>
        <Failure error={error} onRetry={() => void refetch()} />
      </Fixed>
    );
  if (!data || !isFetchedAfterMount) return <Spinner size="large" />;
  const reason = readOnlyReason(data);
  if (reason !== undefined)
    return (
      <Fixed title={data.name}>
        <Alert header="This template cannot be changed here">
          {reason} <Link to={paths.template(id)}>Show the template</Link>
        </Alert>
      </Fixed>
    );
  setFilled(data);
  return null;
}
