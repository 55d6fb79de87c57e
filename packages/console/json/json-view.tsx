/**
 * Shows JSON of any size as a tree, with every digit as it was sent. Content from workers and clients is shown only
 * as text.
 */
import './json.css';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import { useRead } from '../reading/use-read.ts';
import { bytes } from '../units.ts';
import { ActiveRow } from './active-row.tsx';
import { CopyButton } from './copy.tsx';
import { save } from './save.ts';
import { SearchBar } from './search-bar.tsx';
import { TextView } from './text-view.tsx';
import { TreeView } from './tree-view.tsx';
import { useTree } from './use-tree.ts';

interface Props {
  /** The JSON as it was sent. */
  readonly text: string;
  /** Label of the content, such as `Output`. */
  readonly label: string;
  /** Name of the saved file, without its extension. */
  readonly fileName: string;
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

function Shown(props: Props) {
  const { text, label } = props;
  const { reading, active, select, toggle, expandAll, collapseAll, reveal } = useTree(text);
  const [query, setQuery] = useState('');
  const [shown, setShown] = useState(0);
  const isTree = reading.state === 'tree' && reading.tree.rows > 0;
  const isText = reading.state === 'text' || (reading.state === 'tree' && !isTree);
  const { value: lines = [] } = useRead('lines', isText ? text : undefined);

  function showAt(offset: number): void {
    reveal(offset);
    setShown((n) => n + 1);
  }

  return (
    <div>
      <div className="json-bar">
        {isTree && (
          <>
            <SearchBar text={text} onQuery={setQuery} onShow={showAt} />
            <div className="json-bar-links">
              <Button variant="inline-link" onClick={expandAll}>
                Expand
              </Button>
              <Button variant="inline-link" onClick={collapseAll}>
                Collapse
              </Button>
            </div>
          </>
        )}
        {reading.state === 'text' && (
          <StatusIndicator type="warning">Not JSON, shown as text. {reading.reason}</StatusIndicator>
        )}
        <div className="json-bar-end">
          <Saves {...props} />
        </div>
      </div>
      {reading.state === 'failed' && <StatusIndicator type="error">{reading.reason}</StatusIndicator>}
      {reading.state === 'reading' && <StatusIndicator type="loading">Reading {bytes(text.length)}</StatusIndicator>}
      {reading.state === 'tree' && isTree && (
        <>
          <TreeView
            text={text}
            tree={reading.tree}
            label={label}
            query={query}
            active={Math.min(active, reading.tree.rows - 1)}
            shown={shown}
            onSelect={select}
            onToggle={toggle}
          />
          <ActiveRow text={text} tree={reading.tree} active={Math.min(active, reading.tree.rows - 1)} />
        </>
      )}
      {lines.length > 0 && <TextView lines={lines} label={label} />}
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
