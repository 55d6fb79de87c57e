/** Finds the target of the text in the search field. */

/** The form of a job's id. */
const JOB_ID = /^(?:sync-)?[0-9a-z]{36}$/;

/** The form of an endpoint's id. */
const ENDPOINT_ID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export type SearchTarget =
  | { readonly is: 'job'; readonly id: string }
  | { readonly is: 'endpoint'; readonly id: string }
  | { readonly is: 'unknown' };

/**
 * @param text as typed or pasted; can have quotes around it, or be an address of the job interface
 * @param endpoints ids of the endpoints in the page's list
 */
export function searchTarget(text: string, endpoints: readonly string[]): SearchTarget {
  const bare = text.trim().replace(/^["'`]|(?<!["'`,;])["'`,;]+$/g, '');
  const words = bare.split(/[/?#\s]/).filter((word) => word !== '');
  const job = words.findLast((word) => JOB_ID.test(word));
  if (job !== undefined) return { is: 'job', id: job };
  const name = bare.toLowerCase();
  if (endpoints.includes(name)) return { is: 'endpoint', id: name };
  const matching = name === '' ? [] : endpoints.filter((id) => id.includes(name));
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return { is: 'endpoint', id: only };
  // The list can be older than the endpoint. The endpoint's page shows whether it exists.
  return matching.length === 0 && ENDPOINT_ID.test(name) ? { is: 'endpoint', id: name } : { is: 'unknown' };
}
