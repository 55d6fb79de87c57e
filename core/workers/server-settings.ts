/** Settings of the user's HTTP server, with `protocol: http`, for the agent and for its container. */

export interface ServerSettings {
  readonly port: number;
  /** Path to which the agent posts inputs. */
  readonly path: string;
  /** Path to which the server responds with 200 while it can take jobs. */
  readonly healthPath: string;
  /** Maximum time until the server's first 200, and until the next 200 after it has failed, in milliseconds. */
  readonly startTimeout: number;
}

/**
 * Returns the variables of the container: its port, and the number of concurrent requests. The container does not
 * need the agent's URLs.
 */
export const serverVariables = (endpoint: string, port: number, concurrency = 1) => ({
  ENDPOINT_ID: endpoint,
  PORT: String(port),
  CONCURRENCY: String(concurrency),
});

/** Returns the agent's variables, which `serverFrom` reads. Without them the container asks the agent for jobs. */
export const callerVariables = ({ port, path, healthPath, startTimeout }: ServerSettings, concurrency = 1) => ({
  PORT: String(port),
  SERVER_PATH: path,
  SERVER_HEALTH_PATH: healthPath,
  SERVER_START_TIMEOUT: String(startTimeout),
  CONCURRENCY: String(concurrency),
});

export interface Server extends ServerSettings {
  /** Number of jobs that the agent sends concurrently. */
  readonly concurrency: number;
}

/**
 * Reads the settings, if the variables contain them.
 * @param read reads a variable of the agent
 */
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
