/** Form that creates or changes a template. */
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Form from '@cloudscape-design/components/form';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useEffect, useRef } from 'react';
import type { FormErrors } from '../../api/field-errors.ts';
import { usePermission } from '../../session/permission.ts';
import { PermittedButton } from '../../shell/permitted-button.tsx';
import { repeated } from '../../template/env.ts';
import type { Draft } from './draft.ts';
import { FormSections } from './form-sections.tsx';

interface Props {
  readonly title: string;
  readonly description: ReactNode;
  readonly isNew: boolean;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly errors: FormErrors;
  /** Whether the form has unsaved changes. */
  readonly isChanged: boolean;
  readonly submit: {
    readonly operation: string;
    readonly text: string;
    readonly isRunning: boolean;
    readonly refusal?: string | undefined;
    readonly run: () => void;
  };
  readonly onCancel: () => void;
}

/** Asks for confirmation before the browser leaves a form with unsaved changes. */
function useUnsaved(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isChanged]);
}

/** Moves the focus to the first wrong field, and scrolls it into view. */
function useFocusOnError(errors: FormErrors) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (errors.general === undefined && Object.keys(errors.fields).length === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], .form-error')?.focus();
  }, [errors]);
  return form;
}

export function TemplateForm({
  title,
  description,
  isNew,
  draft,
  onChange,
  errors,
  isChanged,
  submit,
  onCancel,
}: Props) {
  useUnsaved(isChanged);
  const form = useFocusOnError(errors);
  const { disabledReason } = usePermission(submit.operation);
  const isRepeated = repeated(draft.env).length > 0;
  const refusal = isRepeated ? 'Two environment variables have the same name.' : submit.refusal;
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (refusal === undefined && !submit.isRunning) submit.run();
      }}
    >
      <Form
        header={
          <Header variant="h1" description={description}>
            {title}
          </Header>
        }
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <Button formAction="none" variant="link" onClick={onCancel}>
              Cancel
            </Button>
            <PermittedButton
              operation={submit.operation}
              variant="primary"
              formAction="submit"
              loading={submit.isRunning}
              loadingText="Sending the request"
              refusal={refusal}
            >
              {submit.text}
            </PermittedButton>
          </SpaceBetween>
        }
      >
        <SpaceBetween size="l">
          {disabledReason !== undefined && (
            <Alert header="You can view this form, but not save it">{disabledReason}</Alert>
          )}
          {errors.general !== undefined && (
            <div className="form-error" tabIndex={-1}>
              <Alert type="error" header="The service refused the template">
                {errors.general}
              </Alert>
            </div>
          )}
          <FormSections
            isNew={isNew}
            draft={draft}
            errors={errors}
            onChange={(changes) => onChange({ ...draft, ...changes })}
          />
        </SpaceBetween>
      </Form>
    </form>
  );
}
