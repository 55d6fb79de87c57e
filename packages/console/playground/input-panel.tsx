/** Edits the input as JSON or in a form, and shows its errors. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useId } from 'react';
import { formatted } from '../json/format.ts';
import { Examples } from './examples.tsx';
import { InputEditor } from './input-editor.tsx';
import { InputForm } from './input-form.tsx';
import { inputError, inputOfRequest } from './request.ts';

interface Props {
  readonly endpoint: string;
  readonly isForm: boolean;
  readonly text: string;
  /** Offset to move the cursor to. */
  readonly target: { readonly at: number } | undefined;
  readonly onTarget: (at: number) => void;
  readonly onChange: (text: string) => void;
}

/** Maximum length of a text that can be formatted. */
const FORMATTED_TO = 200_000;

function Problem({ text, onTarget, onChange }: Pick<Props, 'text' | 'onTarget' | 'onChange'>) {
  const error = inputError(text);
  const inner = error ? undefined : inputOfRequest(text);
  if (error)
    return (
      <StatusIndicator type="error">
        {error.message}{' '}
        <Button variant="inline-link" onClick={() => onTarget(error.at)}>
          Go to the error
        </Button>
      </StatusIndicator>
    );
  if (inner !== undefined)
    return (
      <StatusIndicator type="info">
        This is a whole request. The worker would receive all of it as the input.{' '}
        <Button variant="inline-link" onClick={() => onChange(inner)}>
          Use only its input
        </Button>
      </StatusIndicator>
    );
  return <StatusIndicator type="success">Valid JSON</StatusIndicator>;
}

export function InputPanel({ endpoint, isForm, text, target, onTarget, onChange }: Props) {
  const problemId = useId();
  const isInvalid = inputError(text) !== undefined;
  return (
    <div>
      <div className="json-bar">
        <div className="json-bar-search">
          <Examples endpoint={endpoint} onChoose={onChange} />
        </div>
        <div className="json-bar-end">
          <Button disabled={isInvalid || text.length > FORMATTED_TO} onClick={() => onChange(formatted(text))}>
            Format
          </Button>
        </div>
      </div>
      {isForm ? (
        <Box padding={{ vertical: 'xs' }}>
          <InputForm text={text} onChange={onChange} />
        </Box>
      ) : (
        <InputEditor
          text={text}
          label="Input as JSON"
          describedBy={problemId}
          isInvalid={isInvalid}
          target={target}
          onChange={onChange}
        />
      )}
      <div id={problemId} className="input-problem" role="status">
        <Problem text={text} onTarget={onTarget} onChange={onChange} />
      </div>
    </div>
  );
}
