/**
 * Starts the console: reads its configuration, finishes a sign-in in progress, and shows the page for the address.
 */
import './style.css';
import { createRoot, type Root } from 'react-dom/client';
import { openWorker } from './reading/open-worker.ts';
import { openWith } from './reading/queue.ts';
import { AGAIN, handOver } from './session/again.ts';
import { BASE, readConfig, SIGNED_IN } from './session/config.ts';
import { createSignIn } from './session/sign-in.ts';
import { App } from './shell/app.tsx';
import { CannotStart, SignedInAgain } from './shell/in-place.tsx';
import { applyTheme } from './theme.ts';

async function start(root: Root): Promise<void> {
  const config = await readConfig();
  const signIn = createSignIn(config);
  if (location.pathname === AGAIN) return signIn.begin(`${AGAIN}${location.search}`);
  if (location.pathname === SIGNED_IN) {
    const path = await signIn.finish();
    if (await handOver(signIn, path)) return root.render(<SignedInAgain />);
    history.replaceState(null, '', path);
  } else if ((await signIn.token()) === undefined) {
    await signIn.begin(location.pathname.startsWith(BASE) ? `${location.pathname}${location.search}` : `${BASE}/`);
    return;
  }
  root.render(<App signIn={signIn} config={config} />);
}

applyTheme();
openWith(openWorker);

const element = document.getElementById('console');
if (!element) throw new Error('The page has no element for the console.');
const root = createRoot(element);
start(root).catch((error: unknown) => root.render(<CannotStart error={error} />));
