/**
 * Shows JSON of any size, with every digit as it was sent. Content from workers and clients is shown only as text.
 */
import './json.css';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Toggle from '@cloudscape-design/components/toggle';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useRead } from '../reading/use-read.ts';
import { bytes } from '../units.ts';
import { CopyButton } from './copy.tsx';
import type { createEditor, Editor } from './editor.ts';
import { save } from './save.ts';
import { JsonSyntaxError } from './syntax-error.ts';
import { TextView } from './text-view.tsx';

interface Props {
  /** The JSON as it was sent. */
  readonly text: string;
  /** Label of the content, such as `Output`. */
  readonly label: string;
  /** Name of the saved file, without its extension. */
  readonly fileName: string;
}

interface EditorProps {
  /** Called with the editor when it is loaded. */
  readonly onEditor: (editor: Editor | undefined) => void;
}

/** Characters above which a text is shown only when the user asks for it. */
export const ASKED_FROM = 2_000_000;

/**
 * Characters above which a text can only be saved. The service does not store texts of this size, and a tab should
 * not hold several copies of such a text.
 */
const SHOWN_TO = 100_000_000;

function Saves({ text, label, fileName }: Props) {
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <CopyButton text={() => text}>Copy all</CopyButton>
      <Button iconName="download" ariaLabel={`Download: ${label}`} onClick={() => save(`${fileName}.json`, text)}>
        Download
      </Button>
    </SpaceBetween>
  );
}

/** Shows a text as lines until the editor, which folds and searches, is loaded. */
function JsonText({ text, label, onEditor }: Pick<Props, 'text' | 'label'> & EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor | undefined>(undefined);
  const create = useEffectEvent((make: typeof createEditor) => {
    const made = host.current ? make(host.current, { text, label }) : undefined;
    setEditor(made);
    onEditor(made);
    return made;
  });
  useEffect(() => {
    let made: Editor | undefined;
    let isGone = false;
    // If the editor cannot be loaded, the lines remain.
    import('./editor.ts').then(
      ({ createEditor }) => {
        if (!isGone) made = create(createEditor);
      },
      () => undefined,
    );
    return () => {
      isGone = true;
      made?.close();
    };
  }, []);
  useEffect(() => editor?.setText(text), [editor, text]);
  return (
    <>
      <div ref={host} className="json-editor" hidden={!editor} />
      {!editor && <TextView lines={text.split('\n')} label={label} />}
    </>
  );
}

function Shown(props: Props) {
  const { text, label } = props;
  const [isPlain, setPlain] = useState(false);
  const [editor, setEditor] = useState<Editor | undefined>(undefined);
  const { value: layout, error, isCurrent } = useRead('layout', text, isPlain);
  const isText = isCurrent && error instanceof JsonSyntaxError;
  const { value: lines = [] } = useRead('lines', isText ? text : undefined);
  return (
    <div>
      <div className="json-bar">
        {layout !== undefined && (
          <div className="json-bar-links">
            <Button iconName="search" disabled={!editor} onClick={() => editor?.search()}>
              Search
            </Button>
            <Toggle checked={isPlain} onChange={({ detail }) => setPlain(detail.checked)}>
              Line breaks in strings
            </Toggle>
          </div>
        )}
        {isText && <StatusIndicator type="warning">Not JSON, shown as text. {error.message}</StatusIndicator>}
        <div className="json-bar-end">
          <Saves {...props} />
        </div>
      </div>
      {error !== undefined && !isText && <StatusIndicator type="error">{String(error)}</StatusIndicator>}
      {!isCurrent && layout === undefined && (
        <StatusIndicator type="loading">Reading {bytes(text.length)}</StatusIndicator>
      )}
      {layout !== undefined && <JsonText text={layout} label={label} onEditor={setEditor} />}
      {isText && lines.length > 0 && <TextView lines={lines} label={label} />}
    </div>
  );
}

export function JsonView(props: Props) {
  const { text, label } = props;
  const [isWanted, setWanted] = useState(false);
  if (isWanted || text.length <= ASKED_FROM) return <Shown {...props} />;
  return (
    <SpaceBetween size="s">
      <Box>
        {label} has {bytes(text.length)}.{' '}
        {text.length > SHOWN_TO ? 'This is too large to show: download it.' : 'Showing it takes a moment.'}
      </Box>
      <SpaceBetween direction="horizontal" size="xs">
        {text.length <= SHOWN_TO && <Button onClick={() => setWanted(true)}>Show</Button>}
        <Saves {...props} />
      </SpaceBetween>
    </SpaceBetween>
  );
}
