/** The tutorials that a test follows like a reader. */

export interface PlayedPage {
  /** Whether the reader needs Python; the page is skipped without it. */
  readonly needsPython?: boolean;
  /** Whether the service was started in this clone before, which saves the reader a synthesis. */
  readonly startedBefore?: boolean;
}

export const playedPages: Readonly<Record<string, PlayedPage>> = {
  'first-job': {},
  'python-worker': { needsPython: true },
  'node-worker': {},
  'http-worker': { needsPython: true },
  webhooks: { needsPython: true, startedBefore: true },
  'from-runpod': { needsPython: true, startedBefore: true },
  'openai-clients': { needsPython: true },
};

export const fileOf = (name: string): string => `docs/tutorials/${name}.md`;
