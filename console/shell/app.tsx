/** All pages in their frame. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { ApiError } from '../api/error.ts';
import { BASE, type ConsoleConfig } from '../session/config.ts';
import { ServiceProvider } from '../session/session.tsx';
import type { SignIn } from '../session/sign-in.ts';
import { Layout } from './layout.tsx';
import { NotFound } from './not-found.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import { routes } from './routes.tsx';
import { Texts } from './texts.tsx';

/** A response that another attempt would not change. */
const isFinal = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The interval of a page asks again soon; a page without one shows a button.
      retry: (failures, error) => !isFinal(error) && failures < 1,
      refetchOnWindowFocus: true,
      refetchIntervalInBackground: false,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

function Pages() {
  const [path] = useLocation();
  return (
    <PageBoundary key={path}>
      <Suspense fallback={<PageSkeleton />}>
        <Switch>
          {routes.map((route) => (
            <Route key={route.path} path={route.path} component={route.Page} />
          ))}
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </PageBoundary>
  );
}

interface Props {
  readonly signIn: SignIn;
  readonly config: ConsoleConfig;
}

export function App({ signIn, config }: Props) {
  return (
    <Texts>
      <QueryClientProvider client={queries}>
        <ServiceProvider signIn={signIn} config={config}>
          <Router base={BASE}>
            <Layout>
              <Pages />
            </Layout>
          </Router>
        </ServiceProvider>
      </QueryClientProvider>
    </Texts>
  );
}
