/** Options that select the settings of the stacks: `--env NAME`, and `-c name=value` as for `cdk`, repeatable. */
import type { Command } from 'commander';

/** Values by the names of settings. */
export type Context = Readonly<Record<string, string>>;

export interface SettingFlags {
  /** Name of a file in `environments/`, without `.yaml`. */
  readonly env?: string;
  /** Settings of the form `name=value`. */
  readonly context?: readonly string[];
}

const collect = (value: string, others: readonly string[] = []) => [...others, value];

/** Adds `--env` and `-c`. */
export const withSettings = (command: Command): Command =>
  command
    .option('--env <name>', 'settings of environments/NAME.yaml, as -c environment=NAME (default: default)')
    .option('-c, --context <name=value>', 'a setting as for cdk; repeatable', collect);

/**
 * Returns the settings of `-c`.
 * @throws Error if a value of the option is not of the form `name=value`
 */
export function contextFrom(pairs: readonly string[] = []): Context {
  const settings = pairs.map((pair) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name !== undefined && value !== undefined) return [name, value] as const;
    throw new Error(`--context must be name=value, such as environment=prod, got ${JSON.stringify(pair)}.`);
  });
  return Object.fromEntries(settings);
}

/**
 * Returns the settings of both options.
 * @throws Error if a value of `-c` is not of the form `name=value`
 */
export const settingsOf = ({ env, context }: SettingFlags): Context => ({
  ...contextFrom(context),
  ...(env !== undefined && { environment: env }),
});
