/** Searches a text while the user types, and steps through the matches. */
import Button from '@cloudscape-design/components/button';
import Input from '@cloudscape-design/components/input';
import { useEffect, useEffectEvent, useState } from 'react';
import { useRead } from '../reading/use-read.ts';
import { count } from '../units.ts';
import type { Matches } from './search.ts';

interface Props {
  readonly text: string;
  readonly onQuery: (query: string) => void;
  /** Shows the match at the offset. */
  readonly onShow: (offset: number) => void;
}

const none: Matches = { at: [], more: false };

export function SearchBar({ text, onQuery, onShow }: Props) {
  const [query, setQuery] = useState('');
  const [current, setCurrent] = useState(0);
  const { value, error, isCurrent } = useRead('find', query === '' ? '' : text, query);
  const found = isCurrent ? value : undefined;
  const { at, more } = found ?? none;

  function show(n: number, matches: readonly number[]): void {
    const offset = matches[n];
    setCurrent(n);
    if (offset !== undefined) onShow(offset);
  }

  const showFirst = useEffectEvent((matches: readonly number[]) => show(0, matches));
  useEffect(() => {
    if (found) showFirst(found.at);
  }, [found]);

  function search(value: string): void {
    setQuery(value);
    onQuery(value);
  }

  function summary(): string {
    if (isCurrent && error !== undefined) return String(error);
    if (!found) return 'Searching';
    return at.length === 0 ? 'Not found' : `${count(current + 1)} of ${count(at.length)}${more ? '+' : ''}`;
  }

  const step = (by: number) => show((current + by + at.length) % at.length, at);
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
        {query !== '' && summary()}
      </span>
    </>
  );
}
