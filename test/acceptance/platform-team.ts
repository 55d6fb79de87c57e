/** Changes the templates of endpoints as a platform team does, and waits for their releases. */
import { spawnSync } from 'node:child_process';
import { type Answer, call, eventually, type LocalService } from './local-service.ts';

export interface ListedRelease {
  readonly state: string;
  readonly version: number;
  readonly revision: number;
  readonly reason?: string;
}

export interface PlatformTeam {
  /** Calls the management interface with a key of the templates' owner. */
  call(method: string, path: string, body?: object): Promise<Answer>;
  /**
   * Changes the template that the endpoint's file includes.
   * @returns the new version of the template
   */
  update(endpoint: string, change: object): Promise<number>;
  /** Polls the endpoint's last release until it has the version and the state. */
  released(endpoint: string, version: number, state: string): Promise<ListedRelease>;
}

/** Creates a client key of the owner of all templates that are included in endpoint files. */
function createKey(stateDir: string): string {
  const env = { ...process.env, LOCAL_STATE_DIR: stateDir };
  const args = ['create', '--name', 'deployer', '--owner', 'platform', '--scopes', 'templates:read,templates:write'];
  const { stdout } = spawnSync(process.execPath, ['bin/cli.ts', 'keys', ...args, '--env', 'local', '--json'], {
    encoding: 'utf8',
    env,
  });
  return (JSON.parse(stdout) as { secret: string }).secret;
}

/**
 * Creates the team.
 * @param running returns the service, which may restart between calls
 */
export function platformTeam(stateDir: string, running: () => LocalService): PlatformTeam {
  const key = createKey(stateDir);

  const asPlatform = (method: string, path: string, body?: object) =>
    call({ ApiKey: key }, method, `${running().ManagementApiUrl}${path}`, body && { body: JSON.stringify(body) });

  async function lastRelease(endpoint: string): Promise<ListedRelease | undefined> {
    const { json } = await asPlatform('GET', '/endpoints');
    const all = json.endpoints as { id: string; release?: ListedRelease }[];
    return all.find(({ id }) => id === endpoint)?.release;
  }

  return {
    call: asPlatform,

    async update(endpoint, change) {
      const { status, json, text } = await asPlatform('POST', `/templates/endpoint-${endpoint}/update`, change);
      if (status !== 200) throw new Error(`The template could not be updated: ${status} ${text}`);
      return Number(json.version);
    },

    released: (endpoint, version, state) =>
      eventually(
        `version ${version} of ${endpoint} is ${state}`,
        async () => {
          const last = await lastRelease(endpoint);
          return last?.version === version && last.state === state ? last : undefined;
        },
        { within: 180_000, every: 500 },
      ),
  };
}
