/** The bar at the top of all pages: links to the pages, search, and the signed-in user. */
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import { lazy, type MouseEvent, Suspense } from 'react';
import { useLocation } from 'wouter';
import { usePreferences } from '../preference-store.ts';
import { BASE } from '../session/config.ts';
import { useService, useSession } from '../session/session.tsx';
import { jobsPath, paths } from './paths.ts';

// The first paint does not need the search.
const Search = lazy(() => import('./search.tsx'));

const entries = [
  { text: 'Endpoints', path: paths.overview() },
  { text: 'Jobs', path: jobsPath() },
  { text: 'Costs', path: paths.costs() },
  { text: 'Templates', path: paths.templates() },
  { text: 'API keys', path: paths.keys() },
  { text: 'Settings', path: paths.settings() },
] as const;

/** Returns the entry that the path belongs to. Endpoints and jobs belong to the overview. */
const entryOf = (path: string) =>
  entries.find((entry) => entry.path !== '/' && path.startsWith(entry.path)) ?? entries[0];

/** @returns whether the browser handles the click: it opens another tab or window, or saves the page */
const goesElsewhere = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  button !== 0 || ctrlKey || metaKey || shiftKey || altKey;

function Account() {
  const { signIn } = useService();
  const { data: session } = useSession();
  const groups = session?.groups.join(', ');
  return (
    <ButtonDropdown
      items={[
        {
          text: groups ? `Groups: ${groups}` : 'No groups',
          items: [{ id: 'sign-out', text: 'Sign out' }],
        },
      ]}
      onItemClick={() => void signIn.end()}
      expandToViewport
      loading={!session}
      loadingText="Loading the user"
    >
      {session?.user ?? 'Account'}
    </ButtonDropdown>
  );
}

/** The links that the user has saved in this browser. */
function SavedLinks({ navigate }: { readonly navigate: (path: string) => void }) {
  const { links } = usePreferences();
  if (links.length === 0) return null;
  return (
    <ButtonDropdown
      variant="normal"
      items={links.map(({ name, address }) => ({ id: address, text: name, href: `${BASE}${address}` }))}
      onItemFollow={(event) => {
        event.preventDefault();
        navigate(event.detail.id);
      }}
      expandToViewport
    >
      Saved
    </ButtonDropdown>
  );
}

interface Props {
  /** Shows why the search found nothing; undefined hides it. */
  readonly onProblem: (problem: string | undefined) => void;
}

export function Header({ onProblem }: Props) {
  const [path, navigate] = useLocation();
  const active = entryOf(path);
  const link = (to: string, text: string, isActive: boolean) => (
    <a
      href={`${BASE}${to}`}
      aria-current={isActive ? 'page' : undefined}
      onClick={(event) => {
        if (goesElsewhere(event)) return;
        event.preventDefault();
        navigate(to);
      }}
    >
      {text}
    </a>
  );
  return (
    <header className="top" id="console-header">
      <div className="product">{link(paths.overview(), 'gpu-endpoints', false)}</div>
      <nav aria-label="Pages">
        <ul>
          {entries.map((entry) => (
            <li key={entry.path}>{link(entry.path, entry.text, entry === active)}</li>
          ))}
        </ul>
      </nav>
      <SavedLinks navigate={navigate} />
      <div className="search">
        <Suspense>
          <Search onProblem={onProblem} />
        </Suspense>
      </div>
      <div className="account">
        <Account />
      </div>
    </header>
  );
}
