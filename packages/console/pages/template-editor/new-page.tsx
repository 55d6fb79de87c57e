/** Creates a template, either empty or as a copy of another template (`?from=`). */
import Spinner from '@cloudscape-design/components/spinner';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { ApiError } from '../../api/error.ts';
import { noErrors } from '../../api/field-errors.ts';
import { Failure } from '../../shell/failure.tsx';
import { paths } from '../../shell/paths.ts';
import { useTitle } from '../../shell/title.ts';
import { useCreate, useTemplate } from '../../template/queries.ts';
import { copyOf, creationOf, type Draft, emptyDraft } from './draft.ts';
import { formErrors } from './field-errors.ts';
import { TemplateForm } from './template-form.tsx';

function NewTemplate({ initial }: { readonly initial: Draft }) {
  const [draft, setDraft] = useState(initial);
  const [errors, setErrors] = useState(noErrors);
  const [, navigate] = useLocation();
  const create = useCreate();

  function run() {
    setErrors(noErrors);
    create.mutate(creationOf(draft), {
      onSuccess: ({ id }) => navigate(paths.template(id)),
      onError: (error) =>
        setErrors(error instanceof ApiError ? formErrors(error) : { fields: {}, general: String(error) }),
    });
  }

  return (
    <TemplateForm
      title="Create template"
      description="To use the template, name it in the endpoint's file in endpoints/, by id or by name."
      isNew
      draft={draft}
      onChange={setDraft}
      errors={errors}
      isChanged={draft !== initial && !create.isSuccess}
      submit={{ operation: 'create-template', text: 'Create template', isRunning: create.isPending, run }}
      onCancel={() => navigate(paths.templates())}
    />
  );
}

export default function Page() {
  useTitle('Create template');
  const [query] = useSearchParams();
  const from = query.get('from') ?? '';
  const { data: template, error, refetch } = useTemplate(from, false);
  if (from === '') return <NewTemplate initial={emptyDraft} />;
  if (template) return <NewTemplate initial={copyOf(template)} />;
  return error ? <Failure error={error} onRetry={() => void refetch()} /> : <Spinner size="large" />;
}
