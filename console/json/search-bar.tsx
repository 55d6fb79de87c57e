/** Searches a text while the user types, and steps through the matches. */
import Button from '@cloudscape-design/components/button';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { count } from '../units.ts';
import { find, type Matches } from './search.ts';

interface Props {
  readonly text: string;
  readonly onQuery: (query: string) => void;
  /** Shows the match at the offset. */
  readonly onShow: (offset: number) => void;
}

const none: Matches = { at: [], more: false };

export function SearchBar({ text, onQuery, onShow }: Props) {
  const [query, setQuery] = useState('');
  const [{ at, more }, setMatches] = useState(none);
  const [current, setCurrent] = useState(0);

  function show(n: number, matches: readonly number[]): void {
    const offset = matches[n];
    setCurrent(n);
    if (offset !== undefined) onShow(offset);
  }

  function search(value: string): void {
    const found = find(text, value);
    setQuery(value);
    setMatches(found);
    onQuery(value);
    show(0, found.at);
  }

  const step = (by: number) => show((current + by + at.length) % at.length, at);
  const summary = at.length === 0 ? 'Not found' : `${count(current + 1)} of ${count(at.length)}${more ? '+' : ''}`;
  return (
    <>
      <div className="json-bar-search">
        <Input
          type="search"
          value={query}
          placeholder="Search the text as sent"
          ariaLabel="Search in the text"
          onChange={({ detail }) => search(detail.value)}
          onKeyDown={({ detail: { key, shiftKey } }) => {
            if (key === 'Enter' && at.length > 0) step(shiftKey ? -1 : 1);
          }}
        />
      </div>
      <Button
        variant="icon"
        iconName="angle-up"
        ariaLabel="Previous match"
        disabled={at.length === 0}
        onClick={() => step(-1)}
      />
      <Button
        variant="icon"
        iconName="angle-down"
        ariaLabel="Next match"
        disabled={at.length === 0}
        onClick={() => step(1)}
      />
      <span className="json-bar-count" role="status">
        {query !== '' && summary}
      </span>
    </>
  );
}
