/** Shows the request as client code. */
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { CopyButton } from '../json/copy.tsx';
import { useChoice } from '../shell/parameter.ts';
import { CHAT, type Snippet, snippetOf, snippets } from './snippets.ts';

interface Props {
  readonly endpoint: string;
  /** JSON text; undefined if it is not valid. */
  readonly body: string | undefined;
  readonly isChat: boolean;
}

const kinds = Object.keys(snippets) as Snippet[];

const choices = kinds.map((value) => ({ value, label: snippets[value].label }));

const calls = [
  { value: 'run', label: '/run' },
  { value: 'runsync', label: '/runsync' },
];

export function CodePanel({ endpoint, body, isChat }: Props) {
  const [kind, choose] = useChoice<Snippet>('code', 'curl', kinds);
  const [call, chooseCall] = useChoice<'run' | 'runsync'>('call', 'run', ['run', 'runsync']);
  const code =
    body === undefined
      ? 'The code appears here when the input is valid.'
      : snippetOf(kind, { base: `${location.origin}/v2`, endpoint, path: isChat ? CHAT : call, body });
  return (
    <Container header={<Header actions={<CopyButton text={() => code}>Copy code</CopyButton>}>Code</Header>}>
      <SpaceBetween size="s">
        <div className="code-choices">
          <Select
            selectedOption={{ value: kind, label: snippets[kind].label }}
            options={choices}
            ariaLabel="Language"
            onChange={({ detail }) => choose(detail.selectedOption.value ?? kind)}
          />
          {!isChat && (
            <Select
              selectedOption={calls.find(({ value }) => value === call) ?? null}
              options={calls}
              ariaLabel="Operation"
              onChange={({ detail }) => chooseCall(detail.selectedOption.value ?? call)}
            />
          )}
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
        <section className="code-block" tabIndex={0} aria-label="Code">
          {code}
        </section>
        <Box variant="small" color="text-body-secondary">
          The code reads an API key from the environment variable API_KEY. The key is never shown here.
        </Box>
      </SpaceBetween>
    </Container>
  );
}
