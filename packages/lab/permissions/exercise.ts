/**
 * Makes every function and worker use all its permissions, in a deployment that starts twice, the second time
 * without its second endpoint. It stops as soon as a call is refused.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, jobIn, readStatus, stopService } from '../../../test/acceptance/local-service.ts';
import { type Assemblies, FIRST, SECOND } from './assemblies.ts';
import { findings } from './findings.ts';
import { type Grant, mergedGrants } from './grants.ts';
import { startedAgain, withBoth } from './scenario.ts';
import { type Stage, startStage } from './stage.ts';
import { expiring } from './waiting-jobs.ts';

/**
 * Returns the last errors in the logs of functions, ingress and agents, because the state directory is deleted.
 */
const errorsIn = (stateDir: string): string[] =>
  globSync(join(stateDir, 'logs', '*.log'))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    // An error that a function throws is printed with its stack.
    .filter((line) => /"level":"ERROR"|^\w*Error: /.test(line))
    .slice(-10);

/** Runs the steps against the stage, and stops the stage afterwards. */
async function guarded<Result>(
  stateDir: string,
  stage: Stage,
  act: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const acting = act(stage);
  // Every step after a refusal fails, because the service has stopped.
  acting.catch(() => undefined);
  try {
    return await Promise.race([acting, stage.refused]);
  } catch (error) {
    await stage.killAll();
    const report = [(error as Error).message, ...errorsIn(stateDir), stage.service.printed()];
    throw new Error(report.join('\n'), { cause: error });
  }
}

/** The sweeper runs every minute and needs at most two runs for expired items; a lease takes 30 s to end. */
const SWEPT = 100_000;

/**
 * @returns all permissions of the roles of the stacks, and whether each was used
 * @throws the refusal with role and action, or the expected event that did not happen
 */
export async function exercise({ both, without }: Assemblies): Promise<Grant[]> {
  const stateDir = mkdtempSync(join(tmpdir(), 'gpu-endpoints-permissions-'));
  try {
    const first = await startStage(stateDir, both);
    const { held, resent } = await guarded(stateDir, first, withBoth);
    const before = first.usage();

    const second = await startStage(stateDir, without);
    const grants = () => mergedGrants(before, second.usage());
    await guarded(stateDir, second, async (stage) => {
      const gone = await readStatus(stage.service, resent, SECOND);
      if (gone.json.code !== 'ENDPOINT_NOT_FOUND') throw new Error(`${SECOND} still exists: ${gone.text}`);
      await expiring(stage);
      await Promise.all([
        jobIn(stage.service, resent, 'COMPLETED', SWEPT),
        ...held.map((id) => startedAgain(stage, FIRST, id, SWEPT)),
      ]);
      await eventually('the sweep has finished', () => findings(grants()).length === 0 || undefined, {
        within: SWEPT,
      }).catch(() => undefined);
    });
    await stopService(second.service);
    return grants();
  } finally {
    rmSync(stateDir, { recursive: true, force: true });
  }
}
