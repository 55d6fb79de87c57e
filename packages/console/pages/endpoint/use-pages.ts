/** Reads lists of the history, a page at a time. The newest page is refreshed until older pages are shown. */
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import type { RequestOptions } from '../../api/client.ts';
import { every } from '../../api/polling.ts';
import { useClient } from '../../session/session.tsx';
import { type Period, timesOf } from './period.ts';

const INTERVAL = 20_000;

interface Page {
  readonly readTo: string;
  readonly nextCursor?: string;
}

interface Wanted {
  readonly path: string;
  readonly period: Period;
  readonly query?: NonNullable<RequestOptions['query']>;
  /**
   * Milliseconds between refreshes.
   * @default 20_000
   */
  readonly interval?: number;
}

const lastOf = <P>(data: InfiniteData<P> | undefined) => data?.pages.at(-1);

export function usePages<P extends Page>({ path, period, query, interval = INTERVAL }: Wanted) {
  const client = useClient();
  const { range, since, until } = period;
  const { data, error, ...rest } = useInfiniteQuery({
    queryKey: ['history', path, range.id, since, until, query],
    queryFn: ({ signal, pageParam }) =>
      client.json<P>(path, {
        // All pages of a list have the same times, so that their cursors fit.
        query: { ...query, ...pageParam.times, cursor: pageParam.cursor },
        signal,
      }),
    initialPageParam: { times: timesOf(period), cursor: undefined as string | undefined },
    getNextPageParam: ({ nextCursor }, _, { times }) =>
      nextCursor === undefined ? undefined : { times, cursor: nextCursor },
    refetchInterval: (current) => ((current.state.data?.pages.length ?? 1) > 1 ? false : every(interval)(current)),
  });
  return { pages: data?.pages, readTo: lastOf(data)?.readTo, error, ...rest };
}
