/** A chat with a language model. Answers are hostile texts, and shown only as text. */
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useEffect, useRef } from 'react';
import { seen } from '../json/display.ts';
import { usePermission } from '../session/permission.ts';
import { Failure } from '../shell/failure.tsx';
import { Link } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import { useNow } from './run-bar.tsx';
import type { Chat } from './use-chat.ts';

interface Props {
  readonly endpoint: string;
  readonly chat: Chat;
}

const names = { system: 'Instructions', user: 'You', assistant: 'Answer' } as const;

function Waiting({ since }: { readonly since: number }) {
  const seconds = Math.max(0, Math.floor((useNow(true) - since) / 1000));
  return (
    <Box color="text-body-secondary">
      Waiting for the answer: {seconds} s. If no worker runs, the first answer takes as long as its start.
    </Box>
  );
}

function Conversation({ chat: { messages, askedAt } }: Pick<Props, 'chat'>) {
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [messages]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <div ref={scroller} className="chat" role="log" tabIndex={0} aria-label="Conversation">
      {messages.length === 0 && (
        <Box color="text-body-secondary">Each message is a job of the endpoint, with all messages before it.</Box>
      )}
      {messages.map(({ role, content }, n) => (
        // Messages are only added at the end.
        <div key={n} className={`chat-${role}`}>
          <Box variant="awsui-key-label">{names[role]}</Box>
          <div className="chat-text">{seen(content)}</div>
        </div>
      ))}
      {askedAt !== undefined && messages.at(-1)?.role === 'user' && <Waiting since={askedAt} />}
    </div>
  );
}

export function ChatPanel({ endpoint, chat }: Props) {
  const { typed, type, askedAt, error, job } = chat;
  const may = usePermission('openai');
  return (
    <SpaceBetween size="s">
      <Conversation chat={chat} />
      {error !== undefined && <Failure error={error} />}
      <FormField label="Message" stretch>
        <Textarea
          rows={3}
          value={typed.message}
          placeholder="Enter sends, Shift-Enter starts a line"
          onChange={({ detail }) => type({ message: detail.value })}
          onKeyDown={(event) => {
            const { key, shiftKey, isComposing } = event.detail;
            if (key !== 'Enter' || shiftKey || isComposing || may.disabled) return;
            event.preventDefault();
            chat.send();
          }}
        />
      </FormField>
      <ColumnLayout columns={2}>
        <FormField label="Model">
          <Input
            value={typed.model}
            placeholder="The first that the endpoint serves"
            onChange={({ detail }) => type({ model: detail.value })}
          />
        </FormField>
        <FormField label="Instructions">
          <Input
            value={typed.system}
            placeholder="None: the system message"
            onChange={({ detail }) => type({ system: detail.value })}
          />
        </FormField>
      </ColumnLayout>
      <SpaceBetween direction="horizontal" size="xs" alignItems="center">
        <Button variant="primary" loading={askedAt !== undefined} {...may} onClick={chat.send}>
          Send
        </Button>
        {askedAt !== undefined && <Button onClick={chat.stop}>Stop</Button>}
        <Button disabled={chat.messages.length === 0} onClick={chat.clear}>
          New chat
        </Button>
        <span className="run-note" role="status">
          {may.disabledReason ?? (job !== undefined && <Link to={paths.job(endpoint, job)}>Job of the answer</Link>)}
        </span>
      </SpaceBetween>
    </SpaceBetween>
  );
}
