/** Shows the path of the active row below a tree, with controls to copy, open or read its value. */
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMemo, useState } from 'react';
import { read } from '../reading/read.ts';
import { useRead } from '../reading/use-read.ts';
import { bytes } from '../units.ts';
import { CopyButton } from './copy.tsx';
import { addressIn } from './display.ts';
import { kindAt } from './scan.ts';
import { TextView } from './text-view.tsx';
import { type Branch, pathText, rowAt } from './tree.ts';

interface Props {
  readonly text: string;
  readonly tree: Branch;
  readonly active: number;
}

interface StringProps {
  /** Text that contains the string. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly path: string;
}

function ReadableString({ text, start, end, path }: StringProps) {
  const [isOpen, setOpen] = useState(false);
  const part = useMemo(() => ({ start, end }), [start, end]);
  const { value: lines, error } = useRead('lines', isOpen ? text : undefined, part);
  return (
    <>
      <Button variant="inline-link" onClick={() => setOpen(true)}>
        Read as text
      </Button>
      {isOpen && (
        <Modal
          visible
          size="large"
          header={path || 'Text'}
          closeAriaLabel="Close"
          onDismiss={() => setOpen(false)}
          footer={<CopyButton text={() => read('string', text, part)}>Copy text</CopyButton>}
        >
          {!lines && error === undefined && (
            <StatusIndicator type="loading">Reading {bytes(end - start)}</StatusIndicator>
          )}
          {error !== undefined && <StatusIndicator type="error">{String(error)}</StatusIndicator>}
          <TextView lines={lines ?? []} label={path || 'Text'} height={420} />
        </Modal>
      )}
    </>
  );
}

export function ActiveRow({ text, tree, active }: Props) {
  const row = rowAt(tree, active);
  const path = pathText(text, tree, row.path);
  if (row.kind === 'range') return <div className="json-active">{path}</div>;
  const source = () => text.slice(row.start, row.end);
  const address = addressIn(text, row.start, row.end);
  return (
    <div className="json-active">
      <span className="json-active-path" title={path}>
        {path}
      </span>
      <span className="json-faint">{bytes(row.end - row.start)}</span>
      {kindAt(text, row.start) === 'string' && (
        <ReadableString key={row.start} text={text} start={row.start} end={row.end} path={path} />
      )}
      {address !== undefined && (
        <Button variant="inline-link" href={address} target="_blank" rel="noreferrer noopener" iconName="external">
          Open address
        </Button>
      )}
      <CopyButton variant="inline-link" text={source}>
        Copy value
      </CopyButton>
    </div>
  );
}
