/**
 * The routes of the two interfaces and their limits, as data. The stacks build API Gateway from this table, the
 * authorizer names operations by it, and tests compare both with what answers.
 */

/** A rate limit of the contract: so many requests per 10 seconds, so many at once. */
export interface RouteLimit {
  readonly per10Seconds: number;
  /** Requests at the same time; the token bucket's size stands in for it (docs/architecture.md, "Limits"). */
  readonly concurrent: number;
}

export interface Route {
  readonly methods: readonly ('GET' | 'POST')[];
  /** Path below the base address; `{endpoint}` and `{job}` are parameters. */
  readonly path: string;
  readonly limit: RouteLimit;
  /** Whether the response is sent as it comes, without API Gateway's bounds of 10 MB and 29 seconds. */
  readonly streamed?: boolean;
}

/**
 * Job interface, below `{serverless_url}`. The limits of `/logs`, `/retry`, `/webhooks` and `/health` are not in the
 * contract and are ours.
 */
export const jobRoutes = {
  run: { methods: ['POST'], path: '/{endpoint}/run', limit: { per10Seconds: 1000, concurrent: 200 } },
  runsync: {
    methods: ['POST'],
    path: '/{endpoint}/runsync',
    limit: { per10Seconds: 2000, concurrent: 400 },
    streamed: true,
  },
  status: {
    methods: ['GET', 'POST'],
    path: '/{endpoint}/status/{job}',
    limit: { per10Seconds: 2000, concurrent: 400 },
    streamed: true,
  },
  'status-sync': {
    methods: ['GET', 'POST'],
    path: '/{endpoint}/status-sync/{job}',
    limit: { per10Seconds: 2000, concurrent: 400 },
    streamed: true,
  },
  stream: {
    methods: ['GET', 'POST'],
    path: '/{endpoint}/stream/{job}',
    limit: { per10Seconds: 2000, concurrent: 400 },
    streamed: true,
  },
  logs: { methods: ['GET'], path: '/{endpoint}/logs/{job}', limit: { per10Seconds: 100, concurrent: 20 } },
  cancel: {
    methods: ['POST'],
    path: '/{endpoint}/cancel/{job}',
    limit: { per10Seconds: 100, concurrent: 20 },
  },
  retry: {
    methods: ['POST'],
    path: '/{endpoint}/retry/{job}',
    limit: { per10Seconds: 100, concurrent: 20 },
  },
  // The contract has no concurrent limit for it; the bucket holds what it allows in 10 seconds.
  'purge-queue': { methods: ['POST'], path: '/{endpoint}/purge-queue', limit: { per10Seconds: 2, concurrent: 2 } },
  requests: { methods: ['GET'], path: '/{endpoint}/requests', limit: { per10Seconds: 10, concurrent: 2 } },
  webhooks: { methods: ['GET'], path: '/{endpoint}/webhooks', limit: { per10Seconds: 10, concurrent: 2 } },
  resend: {
    methods: ['POST'],
    path: '/{endpoint}/webhooks/{job}/resend',
    limit: { per10Seconds: 100, concurrent: 20 },
  },
  health: { methods: ['GET'], path: '/{endpoint}/health', limit: { per10Seconds: 2000, concurrent: 400 } },
} as const satisfies Record<string, Route>;

/** Management interface, below `{base_url}`. Its limits are not in the contract and are ours. */
export const managementRoutes = {
  endpoints: { methods: ['GET'], path: '/endpoints', limit: { per10Seconds: 100, concurrent: 20 } },
} as const satisfies Record<string, Route>;

/**
 * Where each interface describes itself, below both base addresses. It tells nothing that is not public, so it needs no
 * key: its limit is one for all callers together.
 */
export const openapiRoute = {
  methods: ['GET'],
  path: '/openapi.json',
  limit: { per10Seconds: 100, concurrent: 20 },
} as const satisfies Route;

export type JobOperation = keyof typeof jobRoutes;
export type ManagementOperation = keyof typeof managementRoutes;
export type Operation = JobOperation | ManagementOperation;

export const operations = [...Object.keys(jobRoutes), ...Object.keys(managementRoutes)] as readonly Operation[];

/** The version segments of the two base addresses. They are the stages, so the deployed URL is the base address. */
export const stages = { jobs: 'v2', management: 'v1' } as const;

/** The operation behind a method and a resource path as API Gateway reports them, if there is one. */
export function operationOf(method: string, path: string): Operation | undefined {
  const routes: Record<string, Route> = { ...jobRoutes, ...managementRoutes };
  return operations.find((name) => {
    const route = routes[name];
    return route?.path === path && route.methods.some((allowed) => allowed === method);
  });
}
