/** Finds the targets of the text in the search field. */
import { jobsPath, paths } from './paths.ts';

/** The form of a job's id. */
const JOB_ID = /^(?:sync-)?[0-9a-z]{36}$/;

/** The form of a worker's id, and the form that the id of a key and the fingerprint of an error have. */
const WORKER_ID = /^[0-9a-f]{32}$/;
const SHORT_ID = /^[0-9a-f]{12}$/;

/** Fewer characters are in too many errors. */
const MIN_TEXT = 3;

/** Where errors, keys and workers are searched without a choice of the user. */
const SINCE = '7d';
const FAILED = 'FAILED,TIMED_OUT';

export interface SearchTarget {
  readonly label: string;
  /** Relative to `/console`; absent for a job, whose endpoint the service has to find. */
  readonly path?: string;
  readonly job?: string;
}

/** Returns the text without quotes around it. */
const bareOf = (text: string) => text.trim().replace(/^["'`]|(?<!["'`,;])["'`,;]+$/g, '');

/**
 * Returns what the text can mean, the most likely first; empty if it is too short.
 * @param text as typed or pasted; can have quotes around it, or be an address of the job interface
 * @param endpoints ids of the endpoints in the page's list
 */
export function searchTargets(text: string, endpoints: readonly string[]): SearchTarget[] {
  const bare = bareOf(text);
  const words = bare.split(/[/?#\s]/).filter((word) => word !== '');
  const job = words.findLast((word) => JOB_ID.test(word));
  if (job !== undefined) return [{ label: `Job ${job}`, job }];
  const name = bare.toLowerCase();
  if (WORKER_ID.test(name))
    return [{ label: `Jobs of worker ${name}`, path: jobsPath({ worker: name, since: SINCE }) }];
  if (SHORT_ID.test(name))
    return [
      { label: `Jobs of key ${name}`, path: jobsPath({ key: name, since: SINCE }) },
      { label: `Failures of error group ${name}`, path: jobsPath({ error: name, since: SINCE }) },
    ];
  const isEqual = (id: string) => id === name;
  const found = name === '' ? [] : endpoints.filter((id) => id.includes(name));
  const named = [...found.filter(isEqual), ...found.filter((id) => !isEqual(id))];
  const inErrors: SearchTarget = {
    label: `Errors with "${bare}"`,
    path: jobsPath({ text: bare, status: FAILED, since: SINCE }),
  };
  return [
    ...named.map((id) => ({ label: id, path: paths.endpoint(id) })),
    ...(bare.length >= MIN_TEXT ? [inErrors] : []),
  ];
}
