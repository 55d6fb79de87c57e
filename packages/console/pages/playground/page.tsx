/** Runs a job on an endpoint with a typed input, and shows the request as code. */
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type KeyboardEvent, useCallback, useState } from 'react';
import { useParams, useSearchParams } from 'wouter';
import { CodePanel } from '../../playground/code-panel.tsx';
import { InputPanel } from '../../playground/input-panel.tsx';
import { OptionsForm } from '../../playground/options-form.tsx';
import { inputError, optionErrors, requestOf } from '../../playground/request.ts';
import { Result } from '../../playground/result.tsx';
import { RunBar } from '../../playground/run-bar.tsx';
import { useDraft } from '../../playground/use-draft.ts';
import { type Sending, useRun } from '../../playground/use-run.ts';
import { Failure } from '../../shell/failure.tsx';
import { Link } from '../../shell/link.tsx';
import { paths } from '../../shell/paths.ts';
import { useTitle } from '../../shell/title.ts';

/** Keeps the job of the last run in the address, so that a reload shows it again. */
function useJobOfRun(): [string | undefined, (id: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const setJob = useCallback(
    (id: string) =>
      setParameters(
        (before) => {
          const after = new URLSearchParams(before);
          after.set('job', id);
          return after;
        },
        { replace: true },
      ),
    [setParameters],
  );
  return [parameters.get('job') ?? undefined, setJob];
}

function Playground({ endpoint }: { readonly endpoint: string }) {
  const { draft, change, isKept, loaded, restore, error: loadError } = useDraft(endpoint);
  const [job, setJob] = useJobOfRun();
  const run = useRun(endpoint, setJob);
  const [jobBefore, setJobBefore] = useState<string>();
  const [target, setTarget] = useState<{ readonly at: number }>();
  const [callError, setCallError] = useState<unknown>();
  const errors = optionErrors(draft.options);

  function start(sending: Sending): void {
    const error = inputError(draft.input);
    if (error) setTarget({ at: error.at });
    else if (Object.keys(errors).length === 0) {
      setCallError(undefined);
      setJobBefore(job);
      run.send(requestOf(draft.input, draft.options), sending);
    }
  }

  function handleKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    start('run');
  }

  // The result of an earlier run must not look like the result of the new run.
  const isSending = run.sending !== undefined && job === jobBefore;
  const failure = run.error ?? callError ?? loadError;
  return (
    <SpaceBetween size="l">
      <Header
        variant="h1"
        description={
          <>
            Runs a job on endpoint <Link to={paths.endpoint(endpoint)}>{endpoint}</Link>
          </>
        }
      >
        Playground
      </Header>
      {loaded && (
        <Alert type="info" action={<Button onClick={restore}>Restore the previous input</Button>}>
          This is the input of job <Link to={paths.job(endpoint, loaded.id)}>{loaded.id}</Link>.
        </Alert>
      )}
      <div className="playground-parts">
        <div onKeyDownCapture={handleKey}>
          <Container header={<Header>Input</Header>}>
            <SpaceBetween size="s">
              <InputPanel
                endpoint={endpoint}
                text={draft.input}
                target={target}
                onTarget={(at) => setTarget({ at })}
                onChange={(input) => change({ input })}
              />
              <OptionsForm options={draft.options} errors={errors} onChange={(options) => change({ options })} />
              <RunBar run={run} isKept={isKept} onRun={start} />
            </SpaceBetween>
          </Container>
        </div>
        <CodePanel endpoint={endpoint} input={draft.input} options={draft.options} />
      </div>
      {failure !== undefined && <Failure error={failure} />}
      <Result endpoint={endpoint} id={isSending ? undefined : job} isSending={isSending} onError={setCallError} />
    </SpaceBetween>
  );
}

export default function Page() {
  const { endpoint = '' } = useParams<{ endpoint: string }>();
  useTitle('Playground', endpoint);
  // Each endpoint has its own draft.
  return <Playground key={endpoint} endpoint={endpoint} />;
}
