/** The user's HTTP server, with `protocol: http`: what the agent is told about it, and what its container is told. */

export interface ServerSettings {
  readonly port: number;
  /** Where inputs are posted, from `/` on. */
  readonly path: string;
  /** What is answered with 200 while the server can take jobs. */
  readonly healthPath: string;
  /** Milliseconds until its first 200, and until the next one once it has died. */
  readonly startTimeout: number;
}

/** For the container: where to listen, and how many requests come at once. It needs no door, it is one. */
export const serverVariables = (endpoint: string, port: number, concurrency = 1) => ({
  ENDPOINT_ID: endpoint,
  PORT: String(port),
  CONCURRENCY: String(concurrency),
});

/** For the agent; `serverFrom` reads them. An agent without them is asked for jobs instead. */
export const callerVariables = ({ port, path, healthPath, startTimeout }: ServerSettings, concurrency = 1) => ({
  PORT: String(port),
  SERVER_PATH: path,
  SERVER_HEALTH_PATH: healthPath,
  SERVER_START_TIMEOUT: String(startTimeout),
  CONCURRENCY: String(concurrency),
});

export interface Server extends ServerSettings {
  /** How many jobs it is given at once. */
  readonly concurrency: number;
}

/** @param read the agent's environment */
export function serverFrom(read: (name: keyof ReturnType<typeof callerVariables>) => string | undefined) {
  const [port, path, healthPath] = [read('PORT'), read('SERVER_PATH'), read('SERVER_HEALTH_PATH')];
  if (port === undefined || path === undefined || healthPath === undefined) return undefined;
  const startTimeout = Number(read('SERVER_START_TIMEOUT'));
  const server: Server = {
    port: Number(port),
    path,
    healthPath,
    startTimeout,
    concurrency: Number(read('CONCURRENCY')),
  };
  return server;
}
