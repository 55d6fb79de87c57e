import type { StateDirectory } from '../state/state-directory.ts';
import { type AwsProxy, type AwsProxyOptions, startAwsProxy } from './server.ts';

const FILE = 'front.json';

/** Starts the proxy where it was in the run before, so that queue URLs stay as they were. */
export async function openAwsProxy(options: AwsProxyOptions, state: StateDirectory): Promise<AwsProxy> {
  const former = state.readJson<{ port: number }>(FILE);
  const proxy = await startAwsProxy({ ...options, preferredPort: former?.port });
  state.writeJson(FILE, { port: proxy.port });
  return proxy;
}
