/**
 * Words that cannot be ids of new endpoints, because a part of a path could have two meanings. An endpoint that an
 * earlier version has deployed keeps its id, so only declarations and new keys are checked.
 */
import { jobRoutes, managementRoutes, type Route, stages } from '../operations/routes.ts';
import { isEndpointId } from './endpoint-id.ts';

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

type Paths = readonly Pick<Route, 'path'>[];

const segmentsOf = ({ path }: Pick<Route, 'path'>) => path.split('/').slice(1);
const isParameter = (segment = '') => segment.startsWith('{');

/** Returns the words that paths of an interface have where other paths have `{endpoint}`. */
export function wordsForEndpoints(routes: Paths): string[] {
  const paths = routes.map(segmentsOf);
  const beginnings = paths.flatMap((path) =>
    path.includes('{endpoint}') ? [path.slice(0, path.indexOf('{endpoint}'))] : [],
  );
  return beginnings.flatMap((beginning) => {
    const alike = paths.filter((path) =>
      beginning.every((segment, n) => segment === path[n] || isParameter(segment) || isParameter(path[n])),
    );
    return alike.map((path) => path[beginning.length] ?? '').filter(isEndpointId);
  });
}

/** The reserved words, sorted: versions of the interfaces, words of their paths, and words of RunPod's newer interfaces. */
export const reservedIds: readonly string[] = [
  ...new Set([
    ...Object.values(stages),
    ...[jobRoutes, managementRoutes].flatMap((routes) => wordsForEndpoints(Object.values(routes))),
    ...segmentsOfRunPod,
  ]),
].toSorted((one, other) => one.localeCompare(other));

/** Returns whether no new endpoint can have the id. */
export const isReservedId = (id: string): boolean => reservedIds.includes(id);
