/** Reads the series, the events and the alarms of an endpoint for its charts. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { EndpointSeries, EventList } from '../../api/management-types.ts';
import { every } from '../../api/polling.ts';
import type { Span } from '../../charts/scale.ts';
import { alarmsFor } from '../../endpoint/use-endpoints.ts';
import { useClient } from '../../session/session.tsx';
import { MINUTE } from '../../units.ts';
import { MARKED } from './marks.ts';
import { type Range, stepLengths } from './period.ts';

const MAX_EVENTS = 500;

export interface SeriesRead {
  readonly series: EndpointSeries;
  readonly span: Span;
  readonly range: Range;
}

export function useSeries(endpoint: string, range: Range, enabled: boolean) {
  const client = useClient();
  return useQuery({
    queryKey: ['series', endpoint, range.id],
    queryFn: async ({ signal }): Promise<SeriesRead> => {
      const to = Date.now();
      const step = stepLengths[range.step];
      const from = Math.floor((to - range.length) / step) * step;
      const series = await client.json<EndpointSeries>(`/v1/endpoints/${encodeURIComponent(endpoint)}/series`, {
        query: { since: new Date(from).toISOString(), step: range.step },
        signal,
      });
      return { series, span: { from, to }, range };
    },
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: every(range.step === 'minute' ? MINUTE : 2 * MINUTE),
  });
}

export function useEvents(endpoint: string, range: Range) {
  const client = useClient();
  return useQuery({
    queryKey: ['events', endpoint, range.id],
    queryFn: ({ signal }) =>
      client.json<EventList>(`/v1/endpoints/${encodeURIComponent(endpoint)}/events`, {
        query: { since: new Date(Date.now() - range.length).toISOString(), kind: MARKED, limit: MAX_EVENTS },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: every(2 * MINUTE),
  });
}

export function useAlarms() {
  const client = useClient();
  return useQuery({ ...alarmsFor(client), refetchInterval: every(2 * MINUTE) });
}
