/** Renders all pages in their frame. */
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Skeleton from '@cloudscape-design/components/skeleton';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { ApiError } from '../api/error.ts';
import { BASE, type ConsoleConfig } from '../session/config.ts';
import { ServiceProvider } from '../session/session.tsx';
import type { SignIn } from '../session/sign-in.ts';
import { Layout } from './layout.tsx';
import { Link } from './link.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { paths } from './paths.ts';
import { routes } from './routes.tsx';
import { Texts } from './texts.tsx';
import { useTitle } from './title.ts';

/** @returns whether another attempt would fail in the same way */
const isFinal = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // Pages with an interval soon repeat a failed query. Other pages show a button.
      retry: (failures, error) => !isFinal(error) && failures < 1,
      refetchOnWindowFocus: true,
      refetchIntervalInBackground: false,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Shown for an unknown address. */
function NotFound() {
  const [path] = useLocation();
  useTitle('Not found');
  return (
    <Alert type="warning" header="The console has no such page">
      There is nothing at <code>{path}</code>. <Link to={paths.overview()}>Show all endpoints</Link>
    </Alert>
  );
}

/** Shown while the code of a page loads. It is as high as the page's heading and first rows. */
function PageSkeleton() {
  return (
    <Box padding={{ top: 'm' }}>
      <div role="status" aria-label="Loading the page">
        <SpaceBetween size="l">
          <Skeleton variant="text-heading-xl" width="240px" />
          <Skeleton height="320px" />
        </SpaceBetween>
      </div>
    </Box>
  );
}

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
