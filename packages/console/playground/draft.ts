/** Keeps typed playground input in the tab's storage, so that it survives a reload and a new sign-in. */
import { noOptions, type Options } from './request.ts';

export interface Draft {
  /** JSON text, possibly incomplete. */
  readonly input: string;
  readonly options: Options;
}

export const emptyDraft: Draft = { input: '{\n  \n}', options: noOptions };

const keyOf = (endpoint: string) => `playground ${endpoint}`;

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** Reads the draft of the endpoint; undefined if there is none, or if another version of the console wrote it. */
export function readDraft(endpoint: string, store: Store = sessionStorage): Draft | undefined {
  try {
    const { input, options } = JSON.parse(store.getItem(keyOf(endpoint)) ?? '{}') as Partial<Draft>;
    return typeof input === 'string' ? { input, options: { ...noOptions, ...options } } : undefined;
  } catch {
    return undefined;
  }
}

/** @returns whether the draft was stored; a tab can store about 5 MB */
export function keepDraft(endpoint: string, draft: Draft, store: Store = sessionStorage): boolean {
  try {
    store.setItem(keyOf(endpoint), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}
