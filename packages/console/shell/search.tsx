/** Search field of the header: opens an endpoint by its name, or a job by its id. */
import Autosuggest, { type AutosuggestProps } from '@cloudscape-design/components/autosuggest';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../api/error.ts';
import { knownEndpoints } from '../endpoint/use-endpoints.ts';
import { useClient } from '../session/session.tsx';
import { titleOf } from './failure.tsx';
import { SEARCH } from './focus.ts';
import { paths } from './paths.ts';
import { searchTarget } from './search-target.ts';

interface FoundJob {
  readonly endpoint: string;
  readonly id: string;
}

const notFound = 'No job has this id. Results are kept for 30 minutes, and for one minute after runsync.';

const reasonOf = (error: unknown): string => {
  if (error instanceof ApiError && error.status === 404) return notFound;
  return error instanceof Error ? `${titleOf(error)}: ${error.message}` : String(error);
};

interface Props {
  /** Shows why nothing was found. */
  readonly onProblem: (problem: string | undefined) => void;
}

export default function Search({ onProblem }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [ids, setIds] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const field = useRef<AutosuggestProps.Ref>(null);

  async function loadIds(): Promise<readonly string[]> {
    const list = await queries.query(knownEndpoints(client));
    const found = list.endpoints.map(({ id }) => id);
    setIds(found);
    return found;
  }

  async function pathOf(value: string): Promise<string> {
    const target = searchTarget(value, await loadIds());
    if (target.is === 'endpoint') return paths.endpoint(target.id);
    if (target.is === 'unknown') throw new Error('Enter the name of an endpoint or the id of a job.');
    const job = await client.json<FoundJob>(`/v1/jobs/${encodeURIComponent(target.id)}`);
    return paths.job(job.endpoint, job.id);
  }

  async function go(value: string): Promise<void> {
    if (value.trim() === '' || isBusy) return;
    setBusy(true);
    onProblem(undefined);
    try {
      const path = await pathOf(value);
      setText('');
      navigate(path);
    } catch (error) {
      onProblem(reasonOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <search>
      <Autosuggest
        ref={field}
        controlId={SEARCH}
        value={text}
        ariaLabel="Find an endpoint or a job"
        placeholder="Endpoint or job id ( / )"
        enteredTextLabel={(value) => `Go to "${value}"`}
        options={ids.map((id) => ({ value: id }))}
        statusType={isBusy ? 'loading' : 'finished'}
        loadingText="Searching"
        onFocus={() => void loadIds().catch(() => undefined)}
        onChange={({ detail }) => setText(detail.value)}
        onSelect={({ detail }) => void go(detail.value)}
        onKeyDown={({ detail }) => {
          if (detail.key === 'Enter') void go(text);
        }}
      />
    </search>
  );
}
