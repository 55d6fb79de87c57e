/** The folder of the CDK app that a command inspects, and its declarations. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder with `cdk.json`, in which commands run. */
export const appFolder = (): string => process.cwd();

/** Exit code of an app that refuses its declarations or settings. */
export const REFUSED = 3;

interface CdkJson {
  readonly app: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly versionReporting?: boolean;
}

/**
 * Returns the settings of the CDK command.
 * @throws Error if the folder has none
 */
export function cdkJson(): CdkJson {
  const file = join(appFolder(), 'cdk.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as CdkJson;
  throw new Error(`There is no ${file}: run the command in the folder of your CDK app.`);
}

/**
 * Returns the program of the app, relative to its folder.
 * @throws Error if the app is not a program of Node.js
 */
export function appProgram(): string {
  const { app } = cdkJson();
  const [, program] = /^node (?:--\S+ )*([^\s-]\S*)$/.exec(app) ?? [];
  if (program !== undefined) return program;
  throw new Error(
    `The app in cdk.json must be a program of Node.js, such as "node bin/app.ts", got ${JSON.stringify(app)}.`,
  );
}

/**
 * Returns the folder with `endpoints/`, `capacity/`, `templates/` and `environments/`: the folder of the app, or the one
 * that the variable `DECLARATIONS` names.
 */
export const declarationsFolder = (): string => resolve(process.env.DECLARATIONS ?? appFolder());
