/** The entries of the runbook, which the descriptions of alarms name. */

import { RUNBOOK } from '../../core/management/list-alarms.ts';

const PAGE = 'docs/guides/monitor.md';

/** Headings of the entries, as anchors. */
export const runbook = {
  api: 'what-do-i-do-when-requests-fail',
  budget: 'what-do-i-do-when-a-budget-is-almost-spent',
  concurrency: 'what-do-i-do-when-lambda-refuses-calls',
  deadLetters: 'what-do-i-do-when-a-dead-letter-queue-has-messages',
  ingress: 'what-do-i-do-when-the-ingress-has-no-healthy-task',
  jobsFail: 'what-do-i-do-when-jobs-fail',
  jobsWait: 'what-do-i-do-when-jobs-wait-too-long',
  launches: 'what-do-i-do-when-instances-cannot-be-launched',
  ledger: 'what-do-i-do-when-the-ledger-is-behind',
  noWorker: 'what-do-i-do-when-no-worker-comes',
  rolledBack: 'what-do-i-do-when-a-release-was-rolled-back',
  setAside: 'what-do-i-do-when-items-were-set-aside',
  sweeper: 'what-do-i-do-when-the-sweeper-is-silent',
  volume: 'what-do-i-do-when-a-volume-exceeds-its-size',
  waits: 'what-do-i-do-when-too-many-calls-wait',
  webhooks: 'what-do-i-do-when-webhooks-fail',
} as const;

export type RunbookEntry = keyof typeof runbook;

/**
 * Returns the description of an alarm.
 * @param sentence what the alarm means
 */
export const alarmText = (sentence: string, entry: RunbookEntry): string =>
  `${sentence}${RUNBOOK}${PAGE}#${runbook[entry]}`;
