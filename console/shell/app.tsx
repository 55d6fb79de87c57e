/** All pages in their frame. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Route, Router, Switch } from 'wouter';
import { ApiError } from '../api/error.ts';
import { BASE } from '../session/config.ts';
import { ServiceProvider } from '../session/session.tsx';
import type { SignIn } from '../session/sign-in.ts';
import { Layout } from './layout.tsx';
import { NotFound } from './not-found.tsx';
import { routes } from './routes.tsx';

/** An answer that another try would not change. */
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

export function App({ signIn }: { readonly signIn: SignIn }) {
  return (
    <QueryClientProvider client={queries}>
      <ServiceProvider signIn={signIn}>
        <Router base={BASE}>
          <Layout>
            <Suspense fallback={null}>
              <Switch>
                {routes.map(({ path, Page }) => (
                  <Route key={path} path={path} component={Page} />
                ))}
                <Route component={NotFound} />
              </Switch>
            </Suspense>
          </Layout>
        </Router>
      </ServiceProvider>
    </QueryClientProvider>
  );
}
