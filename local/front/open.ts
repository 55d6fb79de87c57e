import type { StateDirectory } from '../state-directory.ts';
import { type Front, type FrontOptions, startFront } from './server.ts';

const FILE = 'front.json';

/** Starts the front where it was in the run before, so that queue URLs stay as they were. */
export async function openFront(options: FrontOptions, state: StateDirectory): Promise<Front> {
  const former = state.readJson<{ port: number }>(FILE);
  const front = await startFront({ ...options, preferredPort: former?.port });
  state.writeJson(FILE, { port: front.port });
  return front;
}
