/** What was typed in the playground, kept in the tab: a reload and a new sign-in bring it back. */
import { noOptions, type Options } from './request.ts';

export interface Draft {
  /** JSON text, possibly unfinished. */
  readonly input: string;
  readonly options: Options;
}

export const emptyDraft: Draft = { input: '{\n  \n}', options: noOptions };

const keyOf = (endpoint: string) => `playground ${endpoint}`;

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** The draft of the endpoint; undefined if there is none, or another version of the console wrote it. */
export function readDraft(endpoint: string, store: Store = sessionStorage): Draft | undefined {
  try {
    const { input, options } = JSON.parse(store.getItem(keyOf(endpoint)) ?? '{}') as Partial<Draft>;
    return typeof input === 'string' ? { input, options: { ...noOptions, ...options } } : undefined;
  } catch {
    return undefined;
  }
}

/** @returns whether it is kept: a tab has room for some 5 MB */
export function keepDraft(endpoint: string, draft: Draft, store: Store = sessionStorage): boolean {
  try {
    store.setItem(keyOf(endpoint), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}
