/** Pages by address. Each page is loaded when it is first shown. */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

export interface PageRoute {
  /** Path below `/console`; `:name` is a parameter. */
  readonly path: string;
  readonly Page: LazyExoticComponent<ComponentType>;
}

export const routes: readonly PageRoute[] = [
  { path: '/', Page: lazy(() => import('../pages/overview/page.tsx')) },
  { path: '/endpoints/:endpoint', Page: lazy(() => import('../pages/endpoint/page.tsx')) },
  { path: '/endpoints/:endpoint/playground', Page: lazy(() => import('../pages/playground/page.tsx')) },
  { path: '/endpoints/:endpoint/jobs/:job', Page: lazy(() => import('../pages/job/page.tsx')) },
  { path: '/jobs', Page: lazy(() => import('../pages/jobs/page.tsx')) },
  { path: '/costs', Page: lazy(() => import('../pages/costs/page.tsx')) },
  { path: '/templates', Page: lazy(() => import('../pages/templates/page.tsx')) },
  { path: '/templates/new', Page: lazy(() => import('../pages/template-editor/new-page.tsx')) },
  { path: '/templates/:template', Page: lazy(() => import('../pages/templates/template-page.tsx')) },
  { path: '/templates/:template/edit', Page: lazy(() => import('../pages/template-editor/edit-page.tsx')) },
  { path: '/keys', Page: lazy(() => import('../pages/keys/page.tsx')) },
  { path: '/settings', Page: lazy(() => import('../pages/settings/page.tsx')) },
];
