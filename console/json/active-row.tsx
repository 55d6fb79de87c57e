/** Shows the path of the active row below a tree, with controls to copy, open or read its value. */
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import { useMemo, useState } from 'react';
import { bytes } from '../units.ts';
import { CopyButton } from './copy.tsx';
import { addressIn, linesOf, stringOf } from './display.ts';
import { kindAt } from './scan.ts';
import { TextView } from './text-view.tsx';
import { type Branch, pathText, rowAt } from './tree.ts';

interface Props {
  readonly text: string;
  readonly tree: Branch;
  readonly active: number;
}

function ReadableString({ source, path }: { readonly source: string; readonly path: string }) {
  const [isOpen, setOpen] = useState(false);
  const lines = useMemo(() => (isOpen ? linesOf(stringOf(source) ?? source) : []), [isOpen, source]);
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
          footer={<CopyButton text={() => stringOf(source) ?? source}>Copy text</CopyButton>}
        >
          <TextView lines={lines} label={path || 'Text'} height={420} />
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
      {kindAt(text, row.start) === 'string' && <ReadableString key={row.start} source={source()} path={path} />}
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
