/** The entries of the runbook, which the descriptions of alarms name. */

const PAGE = 'docs/guides/monitor.md';

/** Headings of the entries, as anchors. */
export const runbook = {
  ingress: 'what-do-i-do-when-the-ingress-has-no-healthy-task',
  jobsFail: 'what-do-i-do-when-jobs-fail',
  jobsWait: 'what-do-i-do-when-jobs-wait-too-long',
  noWorker: 'what-do-i-do-when-no-worker-comes',
  setAside: 'what-do-i-do-when-items-were-set-aside',
  volume: 'what-do-i-do-when-a-volume-exceeds-its-size',
  webhooks: 'what-do-i-do-when-webhooks-fail',
} as const;

/**
 * Returns the description of an alarm.
 * @param sentence what the alarm means
 */
export const alarmText = (sentence: string, entry: keyof typeof runbook): string =>
  `${sentence} Runbook: ${PAGE}#${runbook[entry]}`;
