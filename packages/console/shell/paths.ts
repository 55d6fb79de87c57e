/** Addresses of pages, for links; relative to `/console`. */

/** Filters of the page of all jobs, as in its address. */
export interface JobsFilters {
  readonly endpoint?: string | undefined;
  /** Statuses, separated by commas. */
  readonly status?: string | undefined;
  /** Length such as `1h` or `7d`, or a time in ISO 8601. */
  readonly since?: string | undefined;
  /** Time in ISO 8601. */
  readonly until?: string | undefined;
  /** Fingerprint of the error. */
  readonly error?: string | undefined;
  /** Text in the line of the error. */
  readonly text?: string | undefined;
  readonly code?: string | undefined;
  /** Id of the API key. */
  readonly key?: string | undefined;
  readonly worker?: string | undefined;
  /** Revision. */
  readonly release?: string | number | undefined;
}

/** Returns the address of the page of all jobs with these filters. */
export function jobsPath(filters: JobsFilters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined && value !== '') query.set(name, String(value));
  return query.size === 0 ? '/jobs' : `/jobs?${query}`;
}

export const paths = {
  overview: () => '/',
  endpoint: (endpoint: string) => `/endpoints/${encodeURIComponent(endpoint)}`,
  playground: (endpoint: string) => `/endpoints/${encodeURIComponent(endpoint)}/playground`,
  job: (endpoint: string, job: string) => `/endpoints/${encodeURIComponent(endpoint)}/jobs/${encodeURIComponent(job)}`,
  failures: (endpoint: string) => `/endpoints/${encodeURIComponent(endpoint)}?tab=failures`,
  endpointCost: (endpoint: string, since: string, until: string) =>
    `/endpoints/${encodeURIComponent(endpoint)}?${new URLSearchParams({ tab: 'cost', since, until })}`,
  worker: (endpoint: string, worker: string) =>
    `/endpoints/${encodeURIComponent(endpoint)}?${new URLSearchParams({ tab: 'workers', worker })}`,
  templates: () => '/templates',
  newTemplate: () => '/templates/new',
  template: (template: string) => `/templates/${encodeURIComponent(template)}`,
  editTemplate: (template: string) => `/templates/${encodeURIComponent(template)}/edit`,
  jobs: jobsPath,
  costs: () => '/costs',
  keys: () => '/keys',
  settings: () => '/settings',
} as const;
