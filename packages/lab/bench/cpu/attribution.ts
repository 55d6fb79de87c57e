/** Attributes the time of CPU profiles to folders and functions. */

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  /** Numbers from 0. */
  readonly lineNumber: number;
  readonly columnNumber: number;
}

export interface ProfileNode {
  readonly id: number;
  readonly callFrame: CallFrame;
  readonly children?: readonly number[];
}

/** The part of V8's `.cpuprofile` format that this file reads. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** Id of the node of each sample. */
  readonly samples: readonly number[];
  /** Microseconds from the previous sample to each sample. */
  readonly timeDeltas: readonly number[];
}

const OTHER_CODE = 'other code of npm start';
const NODE = 'Node.js (http, net, streams, ...)';

const folders: readonly (readonly [row: string, url: RegExp])[] = [
  ['packages', /\/node_modules\//],
  ['gateway and distribution', /\/emulator\/(gateway|distribution|load-balancer|network|serve|cognito)\//],
  ['AWS proxy and IAM', /\/emulator\/(aws-proxy|iam|kms|secrets)\//],
  ['streams, events and step functions', /\/emulator\/(streams|events|step-functions|expiry|emulators)\//],
  ['ECS and logs', /\/emulator\/(ecs|logs)\//],
  ['calls of functions', /\/emulator\/functions\//],
  [OTHER_CODE, /\/emulator\//],
  [NODE, /^node:/],
];

/** Rows of time without a call frame, by V8's names. */
const special: Readonly<Record<string, string>> = {
  '(garbage collector)': 'garbage collector',
  '(program)': 'native code',
};

/** Time in which a thread waits. V8 counts some of a worker thread's waiting as native code. */
const IDLE = ['(idle)'];
export const IDLE_IN_WORKERS = ['(idle)', '(program)'];

/** Matches code of this repository that is not in a bundle. */
const OWN = /\/(?:packages\/emulator|worker|core|aws|ingress|examples)\/[^?]*\.ts$/;
const isOwn = ({ url }: CallFrame): boolean => OWN.test(url) && !url.includes('/node_modules/');

/** Returns the row of the table to which the frame belongs. */
export function rowOf({ functionName, url }: CallFrame): string {
  const found = folders.find(([, pattern]) => pattern.test(url));
  if (found) return found[0];
  // Built-in functions of V8 have no URL.
  return special[functionName] ?? (url === '' ? NODE : OTHER_CODE);
}

/** Returns the share of each node itself in the time of the thread, without idle time. */
function sharesOf({ nodes, samples, timeDeltas }: CpuProfile, idle: readonly string[]): Map<ProfileNode, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const times = new Map<ProfileNode, number>();
  let total = 0;
  for (const [n, id] of samples.entries()) {
    const node = byId.get(id);
    if (!node || idle.includes(node.callFrame.functionName)) continue;
    const time = Math.max(0, timeDeltas[n] ?? 0);
    times.set(node, (times.get(node) ?? 0) + time);
    total += time;
  }
  return new Map([...times].map(([node, time]) => [node, time / total]));
}

const parentsOf = ({ nodes }: CpuProfile) =>
  new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)));

/** Returns the frame and its callers, the nearest first. */
function pathOf(node: ProfileNode, parents: ReadonlyMap<number, ProfileNode>): CallFrame[] {
  const parent = parents.get(node.id);
  return [node.callFrame, ...(parent ? pathOf(parent, parents) : [])];
}

export interface Split {
  /** Share of the time in code of the row itself, from 0 to 1. */
  readonly self: number;
  /** Share with the Node.js code and packages that this code calls. Nothing is counted twice. */
  readonly withCalled: number;
}

/** Splits the time of the main thread by folder, the largest first. */
export function splitOf(profile: CpuProfile): Map<string, Split> {
  const parents = parentsOf(profile);
  const sums = new Map<string, { self: number; withCalled: number }>();
  function sumsFor(row: string) {
    const found = sums.get(row) ?? { self: 0, withCalled: 0 };
    sums.set(row, found);
    return found;
  }
  for (const [node, share] of sharesOf(profile, IDLE)) {
    const caller = pathOf(node, parents).find(isOwn) ?? node.callFrame;
    sumsFor(rowOf(node.callFrame)).self += share;
    sumsFor(rowOf(caller)).withCalled += share;
  }
  return new Map([...sums].sort(([, one], [, other]) => other.withCalled - one.withCalled));
}

export interface FunctionShare {
  readonly name: string;
  /** File and line, from 1; also the column in a minified bundle, whose lines are long. */
  readonly place: string;
  /** Share of the thread's time, from 0 to 1. */
  readonly share: number;
}

/** Returns the path within this repository or package, or the name of a built-in module. */
export function placeOf({ url, lineNumber, columnNumber }: CallFrame): string {
  if (url === '') return '';
  const bundle = /asset\.([0-9a-f]{6})[0-9a-f]*\/(.*)$/.exec(url);
  if (bundle) return `${bundle[1]}/${bundle[2]}:${lineNumber + 1}:${columnNumber + 1}`;
  const inPackage = /^.*\/node_modules\/(.*)$/.exec(url)?.[1];
  const inRepository = OWN.exec(url)?.[0].slice(1);
  return `${inPackage ?? inRepository ?? url}:${lineNumber + 1}`;
}

/**
 * Returns the functions of a profile by their own time. A built-in function is listed once for each caller in this
 * repository, or else for each calling file.
 * @param idle names of the frames in which the thread waits
 */
export function functionsOf(profile: CpuProfile, idle: readonly string[] = IDLE): FunctionShare[] {
  const parents = parentsOf(profile);
  const shares = new Map<string, FunctionShare>();
  for (const [node, part] of sharesOf(profile, idle)) {
    const name = node.callFrame.functionName || '(anonymous)';
    const path = pathOf(node, parents);
    const caller = path.find(isOwn) ?? path.find(({ url }) => url !== '');
    const from = caller ? `from ${placeOf(caller)}` : '';
    const place = node.callFrame.url === '' ? from : placeOf(node.callFrame);
    const key = `${name} ${place}`;
    shares.set(key, { name, place, share: (shares.get(key)?.share ?? 0) + part });
  }
  return [...shares.values()].sort((one, other) => other.share - one.share);
}
