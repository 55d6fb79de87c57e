/** Queries and mutations of the template pages. */
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Client } from '../api/client.ts';
import type {
  ListedTemplate,
  NewTemplate,
  RemovedTemplate,
  Template,
  TemplateChanges,
  TemplateInUse,
  TemplateList,
} from '../api/management-types.ts';
import { every, intervals } from '../api/polling.ts';
import { workersOf } from '../endpoint/use-endpoints.ts';
import { useClient } from '../session/session.tsx';
import { type Category, categories } from './kind.ts';
import type { WorkerRevision } from './rollout.ts';

const MAX_PAGE_SIZE = 100;
/** Maximum number of pages that the list reads per category. Search and counts cover only those pages. */
const MAX_PAGES = 10;

interface Listed {
  readonly templates: readonly ListedTemplate[];
  /** Whether the service has more templates than the list reads. */
  readonly isCut: boolean;
}

async function listOf(client: Client, category: Category, signal: AbortSignal): Promise<Listed> {
  const templates: ListedTemplate[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { category, limit: MAX_PAGE_SIZE, cursor };
    const list = await client.json<TemplateList>('/v1/templates', { query, signal });
    templates.push(...list.templates);
    cursor = list.nextCursor;
    if (cursor === undefined) return { templates, isCut: false };
  }
  return { templates, isCut: true };
}

export interface Templates {
  readonly templates: readonly ListedTemplate[];
  /** Number of templates per category; undefined until it is loaded. */
  readonly counts: Readonly<Record<Category, number | undefined>>;
  readonly isCut: boolean;
  readonly isLoading: boolean;
  readonly error: unknown;
  /** Whether `templates` was loaded before the error. */
  readonly isStale: boolean;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  readonly retry: () => void;
}

/** Reads the templates that the user may see, by category. */
export function useTemplates(): Templates {
  const client = useClient();
  const queries = useQueries({
    queries: categories.map((category) => ({
      queryKey: ['list-templates', category],
      queryFn: ({ signal }: { signal: AbortSignal }) => listOf(client, category, signal),
      refetchInterval: every(intervals.releases),
    })),
  });
  const [nvidia, amd, cpu] = queries.map(({ data }) => data?.templates.length);
  return {
    templates: queries.flatMap(({ data }) => data?.templates ?? []),
    counts: { NVIDIA: nvidia, AMD: amd, CPU: cpu },
    isCut: queries.some(({ data }) => data?.isCut),
    isLoading: queries.some(({ isPending }) => isPending),
    error: queries.find(({ error }) => error !== null)?.error ?? undefined,
    isStale: queries.every(({ data }) => data !== undefined),
    updatedAt: Math.min(...queries.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    retry: () => {
      for (const query of queries) if (query.error) void query.refetch();
    },
  };
}

const pathOf = (template: string) => `/v1/templates/${encodeURIComponent(template)}`;

/**
 * Reads a template.
 * @param isLive whether the query is refreshed; a form keeps the version that filled it
 */
export function useTemplate(template: string, isLive: boolean) {
  const client = useClient();
  return useQuery<TemplateInUse>({
    queryKey: ['read-template', template],
    queryFn: ({ signal }) => client.json<TemplateInUse>(pathOf(template), { signal }),
    enabled: template !== '',
    refetchInterval: isLive ? every(intervals.releases) : false,
    refetchOnWindowFocus: isLive,
  });
}

/** @returns a function that reads the stored template without the cache */
export function useFreshTemplate(template: string): () => Promise<TemplateInUse> {
  const client = useClient();
  return () => client.json<TemplateInUse>(pathOf(template));
}

/** Reads the workers of endpoints with a rollout in progress. Endpoints with unknown workers are absent. */
export function useWorkers(endpoints: readonly string[]): ReadonlyMap<string, readonly WorkerRevision[]> {
  const client = useClient();
  const queries = useQueries({
    queries: endpoints.map((endpoint) => ({
      ...workersOf(client, endpoint),
      refetchInterval: every(intervals.releases),
    })),
  });
  return new Map(
    endpoints.flatMap((endpoint, index) => {
      const workers = queries[index]?.data?.workers;
      return workers ? [[endpoint, workers] as const] : [];
    }),
  );
}

/** Invalidates the cached templates and their rollouts. */
function useForget() {
  const queries = useQueryClient();
  return async () => {
    for (const operation of ['list-templates', 'read-template', 'releases', 'endpoints'])
      await queries.invalidateQueries({ queryKey: [operation] });
  };
}

export function useCreate() {
  const client = useClient();
  return useMutation({
    mutationFn: (body: NewTemplate) => client.json<Template>('/v1/templates', { method: 'POST', body }),
    onSuccess: useForget(),
  });
}

export function useUpdate(template: string) {
  const client = useClient();
  return useMutation({
    mutationFn: (body: TemplateChanges) =>
      client.json<Template>(`${pathOf(template)}/update`, { method: 'POST', body }),
    onSuccess: useForget(),
  });
}

export function useRemove(template: string) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.json<RemovedTemplate>(pathOf(template), { method: 'DELETE' }),
    onSuccess: async () => {
      queries.removeQueries({ queryKey: ['read-template', template] });
      await queries.invalidateQueries({ queryKey: ['list-templates'] });
    },
  });
}
