/** Runs a job on an endpoint with a typed input, and shows the request as code. */
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type KeyboardEvent, useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useParams, useSearchParams } from 'wouter';
import { useKnownEndpoints } from '../../endpoint/use-endpoints.ts';
import { chatBody, isLanguageModel, messagesOf } from '../../playground/chat.ts';
import { ChatPanel } from '../../playground/chat-panel.tsx';
import { CodePanel } from '../../playground/code-panel.tsx';
import { emptyDraft } from '../../playground/draft.ts';
import { InputPanel } from '../../playground/input-panel.tsx';
import { OptionsForm } from '../../playground/options-form.tsx';
import { bodyOf, inputError, optionErrors, requestOf } from '../../playground/request.ts';
import { Result } from '../../playground/result.tsx';
import { RunBar } from '../../playground/run-bar.tsx';
import { useChat } from '../../playground/use-chat.ts';
import { useDraft } from '../../playground/use-draft.ts';
import { type Sending, useRun } from '../../playground/use-run.ts';
import { Failure } from '../../shell/failure.tsx';
import { Link } from '../../shell/link.tsx';
import { useChoice } from '../../shell/parameter.ts';
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
  const known = useKnownEndpoints().find(({ id }) => id === endpoint);
  const chat = useChat(endpoint);
  const begun = useEffectEvent(() => {
    const [example] = known?.examples ?? [];
    if (example && draft.input === emptyDraft.input) change({ input: JSON.stringify(example.input, null, 2) });
  });
  // An untouched playground begins with the first example.
  useEffect(() => {
    if (known?.id === endpoint) begun();
  }, [known?.id, endpoint]);
  const begin = known && isLanguageModel(known) && !loaded && !job ? 'chat' : 'json';
  const [view, choose] = useChoice('as', begin, ['chat', 'json', 'form']);
  const isChat = view === 'chat';
  const isWhole = inputError(draft.input) === undefined && Object.keys(errors).length === 0;
  const body = isWhole ? bodyOf(requestOf(draft.input, draft.options)) : undefined;
  // Without a typed message, the code asks the last question.
  const said =
    chat.typed.message.trim() === '' ? chat.messages.findLastIndex(({ role }) => role === 'user') + 1 : undefined;
  const chatCode = chatBody(chat.typed.model || 'MODEL', messagesOf(chat.typed, chat.messages.slice(0, said)));

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
        <div onKeyDownCapture={isChat ? undefined : handleKey}>
          <Container
            header={
              <Header
                actions={
                  <SegmentedControl
                    label="Send"
                    selectedId={view}
                    options={[
                      { id: 'chat', text: 'Chat' },
                      { id: 'json', text: 'JSON' },
                      { id: 'form', text: 'Form' },
                    ]}
                    onChange={({ detail }) => choose(detail.selectedId)}
                  />
                }
              >
                {isChat ? 'Chat' : 'Input'}
              </Header>
            }
          >
            {isChat ? (
              <ChatPanel endpoint={endpoint} chat={chat} />
            ) : (
              <SpaceBetween size="s">
                <InputPanel
                  endpoint={endpoint}
                  isForm={view === 'form'}
                  text={draft.input}
                  target={target}
                  onTarget={(at) => setTarget({ at })}
                  onChange={(input) => change({ input })}
                />
                <OptionsForm options={draft.options} errors={errors} onChange={(options) => change({ options })} />
                <RunBar run={run} isKept={isKept} onRun={start} />
              </SpaceBetween>
            )}
          </Container>
        </div>
        <CodePanel endpoint={endpoint} body={isChat ? chatCode : body} isChat={isChat} />
      </div>
      {failure !== undefined && <Failure error={failure} />}
      {!isChat && (
        <Result endpoint={endpoint} id={isSending ? undefined : job} isSending={isSending} onError={setCallError} />
      )}
    </SpaceBetween>
  );
}

export default function Page() {
  const { endpoint = '' } = useParams<{ endpoint: string }>();
  useTitle('Playground', endpoint);
  // Each endpoint has its own draft.
  return <Playground key={endpoint} endpoint={endpoint} />;
}
