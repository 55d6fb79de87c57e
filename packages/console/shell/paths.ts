/** Addresses of pages, for links; relative to `/console`. */
export const paths = {
  overview: () => '/',
  endpoint: (endpoint: string) => `/endpoints/${encodeURIComponent(endpoint)}`,
  playground: (endpoint: string) => `/endpoints/${encodeURIComponent(endpoint)}/playground`,
  job: (endpoint: string, job: string) => `/endpoints/${encodeURIComponent(endpoint)}/jobs/${encodeURIComponent(job)}`,
  templates: () => '/templates',
  newTemplate: () => '/templates/new',
  template: (template: string) => `/templates/${encodeURIComponent(template)}`,
  editTemplate: (template: string) => `/templates/${encodeURIComponent(template)}/edit`,
  keys: () => '/keys',
  settings: () => '/settings',
} as const;
