/** Search field of the header: finds endpoints, jobs, errors, workers and keys. */
import Autosuggest from '@cloudscape-design/components/autosuggest';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../api/error.ts';
import type { EndedJobList } from '../api/management-types.ts';
import { knownEndpoints } from '../endpoint/use-endpoints.ts';
import { useClient } from '../session/session.tsx';
import { titleOf } from './failure.tsx';
import { SEARCH } from './focus.ts';
import { paths } from './paths.ts';
import { searchTargets } from './search-target.ts';

interface FoundJob {
  readonly endpoint: string;
  readonly id: string;
}

const NOT_FOUND = 'No job has this id, and none with it has ended within the time of the history, usually 30 days.';
const NO_TARGET = 'Enter an endpoint, a job id, three characters of an error, or the id of a worker or a key.';

const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404;

const reasonOf = (error: unknown): string => {
  if (isMissing(error)) return NOT_FOUND;
  return error instanceof ApiError ? `${titleOf(error)}: ${error.message}` : String(error);
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
  /** Whether the Enter key has chosen an option. */
  const isChosen = useRef<boolean>(false);

  async function loadIds(): Promise<readonly string[]> {
    const list = await queries.query(knownEndpoints(client));
    const found = list.endpoints.map(({ id }) => id);
    setIds(found);
    return found;
  }

  /** Finds the endpoint of a job, also after its result has expired. */
  async function jobPath(id: string): Promise<string> {
    let found: FoundJob | undefined;
    try {
      found = await client.json<FoundJob>(`/v1/jobs/${encodeURIComponent(id)}`);
    } catch (error) {
      if (!isMissing(error)) throw error;
      const { jobs } = await client.json<EndedJobList>('/v1/jobs', { query: { job: id, limit: 1 } });
      [found] = jobs;
      if (!found) throw error;
    }
    return paths.job(found.endpoint, found.id);
  }

  async function go(value: string, label?: string): Promise<void> {
    if (value.trim() === '' || isBusy) return;
    setBusy(true);
    onProblem(undefined);
    try {
      const targets = searchTargets(value, await loadIds());
      const target = targets.find((one) => one.label === label) ?? targets[0];
      if (target) {
        const path = target.job === undefined ? target.path : await jobPath(target.job);
        setText('');
        navigate(path ?? paths.overview());
      } else onProblem(NO_TARGET);
    } catch (error) {
      onProblem(reasonOf(error));
    } finally {
      setBusy(false);
    }
  }

  const goUnlessChosen = () => {
    if (!isChosen.current) void go(text);
  };

  const targets = text.trim() === '' ? ids.map((id) => ({ label: id })) : searchTargets(text, ids);
  return (
    <search>
      <Autosuggest
        controlId={SEARCH}
        value={text}
        ariaLabel="Find an endpoint, a job, an error, a worker or a key"
        placeholder="Job, error, worker, key ( / )"
        enteredTextLabel={(value) => `Go to "${value}"`}
        hideEnteredTextOption
        filteringType="manual"
        options={targets.map(({ label }) => ({ value: label }))}
        statusType={isBusy ? 'loading' : 'finished'}
        loadingText="Searching"
        onFocus={() => void loadIds().catch(() => undefined)}
        onChange={({ detail }) => {
          isChosen.current = false;
          setText(detail.value);
        }}
        onSelect={({ detail }) => {
          isChosen.current = true;
          void go(text.trim() === '' ? detail.value : text, detail.value);
        }}
        onKeyDown={({ detail }) => {
          // The same press can choose an option.
          if (detail.key === 'Enter') queueMicrotask(goUnlessChosen);
        }}
      />
    </search>
  );
}
