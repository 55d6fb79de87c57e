/**
 * Signs in again in another window, so that the page keeps what the user has typed. Tokens are in the session
 * storage of a tab, so the other window sends them over a channel. Only the two windows have the name of the
 * channel.
 */
import { BASE } from './config.ts';
import type { SignIn } from './sign-in.ts';

/** Path of the page that the other window opens. */
export const AGAIN = `${BASE}/sign-in-again`;

const CHANNEL = 'channel';

const channelOf = (name: string) => new BroadcastChannel(`${AGAIN}/${name}`);

/**
 * Opens the sign-in page in another window.
 * @returns a function that stops listening
 */
export function signInElsewhere(signIn: SignIn, onSignedIn: () => void): () => void {
  const name = crypto.randomUUID();
  const channel = channelOf(name);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'string') return;
    channel.close();
    void signIn.adopt(data).then(onSignedIn);
  };
  window.open(`${AGAIN}?${new URLSearchParams({ [CHANNEL]: name })}`, '_blank', 'popup,width=520,height=720');
  return () => channel.close();
}

/**
 * Sends the session to the page that requested it. The other window calls this function after it has signed in.
 * @param path with which the sign-in began
 * @returns whether the session was sent
 */
export async function handOver(signIn: SignIn, path: string): Promise<boolean> {
  const { pathname, searchParams } = new URL(path, location.origin);
  const name = searchParams.get(CHANNEL);
  if (pathname !== AGAIN || name === null) return false;
  const session = await signIn.handOver();
  const channel = channelOf(name);
  channel.postMessage(session);
  channel.close();
  return true;
}
