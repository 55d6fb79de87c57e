/** Endpoint ids: their form, and the words that are not ids. */
import { jobRoutes, managementRoutes, type Route, stages } from '../operations/routes.ts';

/** Form of an endpoint id, which is a path segment, a partition key and part of resource names. */
export const ENDPOINT_ID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** First segments of paths in RunPod's newer interfaces, in the place of an endpoint id. */
const segmentsOfRunPod = [
  'serverless',
  'templates',
  'network-volumes',
  'registries',
  'catalog',
  'billing',
  'pods',
  'workers',
  'releases',
];

const wordsIn = ({ path }: Route) => path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));

/**
 * Words that no endpoint has as its id, sorted. They are the stages, the words in paths of routes, and the words of
 * RunPod's newer interfaces. With such an id, a part of a path could have two meanings.
 */
export const reservedIds: readonly string[] = [
  ...new Set([
    ...Object.values(stages),
    ...Object.values<Route>({ ...jobRoutes, ...managementRoutes }).flatMap(wordsIn),
    ...segmentsOfRunPod,
  ]),
].toSorted((one, other) => one.localeCompare(other));

/** Returns whether the word has the form of an id, but is reserved. */
export const isReservedId = (id: string): boolean => reservedIds.includes(id);

/** Returns whether an endpoint can have the id. */
export const isEndpointId = (id: string): boolean => ENDPOINT_ID.test(id) && !isReservedId(id);
