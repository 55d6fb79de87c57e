/**
 * Reads the environments that Git declares: `environments/<name>.yaml`, one file each. The context `environment`
 * selects one; without it, `environments/default.yaml` is used, if it exists. An environment has the settings of the
 * context, and the account and Region of the stacks.
 */
import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';
import { accessLogDaysSetting } from '../api/access-log.ts';
import { corsOriginSetting } from '../api/cors.ts';
import { webAclRateSetting } from '../api/web-acl.ts';
import { imageCachesSetting } from '../capacity/image-caches.ts';
import { consoleAllowSetting, consoleSetting } from '../console/console-setting.ts';
import { imagesSetting } from '../constructs/images-setting.ts';
import { permissionsBoundarySetting } from '../constructs/permissions-boundary.ts';
import { reservedConcurrencySetting } from '../constructs/reserved-concurrency.ts';
import { endpointAlarmsSetting } from '../endpoints/alarm-settings.ts';
import { ENDPOINTS } from '../endpoints/declaration.ts';
import { endpointMetricsSetting } from '../endpoints/metrics-setting.ts';
import { domainSetting } from '../front-door/domain-setting.ts';
import { ingressSetting } from '../front-door/ingress-setting.ts';
import { historyDaysSetting } from '../history/history-days.ts';
import { readQuotaSetting, waitsSetting } from '../jobs/waits.ts';
import { networkSetting } from '../network/network.ts';
import { concurrentExecutionsSetting } from '../settings/concurrent-executions.ts';
import { InvalidDeclarations, readDeclaredFiles } from '../settings/declared-files.ts';
import { type FieldText, fieldTexts, type Setting } from '../settings/field-text.ts';
import { deploymentSetting, InvalidSetting, scopeWith } from '../settings/settings.ts';
import { eventBusSetting } from '../sweeper/event-bus.ts';
import { otlpSetting } from '../telemetry/otlp-setting.ts';
import { imageRepositoriesSetting } from '../templates/image-repositories.ts';
import { declaredSetting, earnedPerMinuteSetting } from '../templates/templates.ts';
import { identityProviderSetting } from '../users/identity-provider.ts';
import { webhookAlarmPercentSetting } from '../webhooks/alarm.ts';
import { webhookNetworksSetting } from '../webhooks/networks.ts';
import { alarmsSetting } from './alarms.ts';
import { dashboardsSetting } from './dashboards.ts';

const FOLDER = 'environments';
const SETTING = 'environment';
/** The environment of commands that name none. */
const DEFAULT = 'default';

/** Set by `npm start`, which emulates an account and Region on this machine. */
export const WITHOUT_PLACE = 'environment:without-place';

/** The settings that an environment can have. */
export const settingsByName = {
  accessLogDays: accessLogDaysSetting,
  alarms: alarmsSetting,
  concurrentExecutions: concurrentExecutionsSetting,
  console: consoleSetting,
  consoleAllow: consoleAllowSetting,
  corsOrigin: corsOriginSetting,
  dashboards: dashboardsSetting,
  declared: declaredSetting,
  deployment: deploymentSetting,
  domain: domainSetting,
  earnedPerMinute: earnedPerMinuteSetting,
  endpointAlarms: endpointAlarmsSetting,
  endpointMetrics: endpointMetricsSetting,
  eventBus: eventBusSetting,
  historyDays: historyDaysSetting,
  identityProvider: identityProviderSetting,
  imageCaches: imageCachesSetting,
  imageRepositories: imageRepositoriesSetting,
  images: imagesSetting,
  ingress: ingressSetting,
  network: networkSetting,
  otlp: otlpSetting,
  permissionsBoundary: permissionsBoundarySetting,
  readQuota: readQuotaSetting,
  reservedConcurrency: reservedConcurrencySetting,
  waits: waitsSetting,
  webAclRate: webAclRateSetting,
  webhookAlarmPercent: webhookAlarmPercentSetting,
  webhookNetworks: webhookNetworksSetting,
} as const satisfies Readonly<Record<string, Setting>>;

type SettingName = keyof typeof settingsByName;

/** Names of the settings that an environment can have. */
export const environmentSettings = Object.keys(settingsByName) as readonly SettingName[];

/** Completes the sentence "the file name …". */
export const environmentNameMust =
  'must be 1 to 32 characters of a-z, 0-9 and single hyphens that begin with a letter and do not end with a hyphen';
const accountMust = 'must be the 12 digits of an account in quotes, such as "123456789012", together with `region`';
const regionMust = 'must be a Region, such as eu-west-1, together with `account`';
const valueMust = 'must have a value';

const settingOf = (name: SettingName) =>
  z
    .optional(z.unknown().check(z.refine((value) => value !== null, valueMust)))
    .register(fieldTexts, settingsByName[name].text);
const settings = Object.fromEntries(environmentSettings.map((name) => [name, settingOf(name)]));

/** The text of the setting that names a file. The other settings can be in the file. */
export const environmentText: FieldText = {
  description: `File in \`${FOLDER}/\` with the settings, the account and the Region of the stacks.`,
  type: 'string',
  without: `\`${FOLDER}/${DEFAULT}.yaml\`, if it exists`,
  allowed: `the name of a file in \`${FOLDER}/\`, without \`.yaml\``,
  guide: 'environments',
};

export const environmentSchema = z
  .strictObject({
    account: z.optional(z.string(accountMust).check(z.regex(/^\d{12}$/, accountMust))).register(fieldTexts, {
      description: 'Account of the stacks; the CDK does not deploy with credentials for another account.',
      without: 'the account of the credentials',
      guide: 'environments',
    }),
    region: z
      .optional(z.string(regionMust).check(z.regex(/^[a-z]{2}(?:-[a-z]+)+-\d$/, regionMust)))
      .register(fieldTexts, {
        description: 'Region of the stacks.',
        without: 'the Region of the credentials',
        guide: 'environments',
      }),
    ...settings,
  })
  .check(
    z.superRefine(({ account, region }, context) => {
      if (account === undefined && region !== undefined)
        context.addIssue({ code: 'custom', path: ['account'], message: accountMust, input: account });
      if (region === undefined && account !== undefined)
        context.addIssue({ code: 'custom', path: ['region'], message: regionMust, input: region });
    }),
  );

type Environment = z.output<typeof environmentSchema> & { readonly id: string };

const fileOf = (name: string) => `${FOLDER}/${name}.yaml`;

/** Returns the messages of the function that reads the setting, or an empty list if the value is valid. */
function refusal(file: string, name: SettingName, values: Readonly<Record<string, unknown>>): string[] {
  if (values[name] === undefined) return [];
  try {
    settingsByName[name].read(scopeWith({ [name]: values[name] }));
    return [];
  } catch (error) {
    if (!(error instanceof InvalidSetting)) throw error;
    return error.message.split('\n').map((sentence) => sentence.replace(/^The context /, `${file}: `));
  }
}

/** Returns a message if the topic is not in the Region of the stacks: alarms cannot notify topics of other Regions. */
function topicRefusal(file: string, { region, ...values }: Readonly<Record<string, unknown>>): string[] {
  const topic = String(values.alarms ?? '');
  if (region === undefined || topic === '' || topic.split(':')[3] === region) return [];
  return [`${file}: \`alarms\` must be a topic of the Region ${region}, got ${JSON.stringify(topic)}.`];
}

/** Finds folders of `environments/` that nothing reads: a mistyped name would otherwise override nothing. */
function folderProblems(root: string): string[] {
  const cwd = join(root, FOLDER);
  const unnamed = globSync('*/', { cwd }).filter((name) => !existsSync(join(cwd, `${name}.yaml`)));
  const unread = globSync('*/{*.yaml,*.yml,*/}', { cwd }).filter((path) => basename(path) !== ENDPOINTS);
  return [
    ...unnamed.map((name) => `${FOLDER}/${name}/: there is no ${fileOf(name)}, so nothing uses this folder`),
    ...unread.map((path) => `${FOLDER}/${path}: the folder of an environment can only contain \`${ENDPOINTS}/\``),
  ];
}

/**
 * Reads all declared environments, in the order of their names.
 * @param root parent of `environments/`
 * @throws InvalidDeclarations with all problems of all files
 */
export function readEnvironments(root: string): Environment[] {
  const environments = readDeclaredFiles(root, {
    folder: FOLDER,
    id: /^(?=.{1,32}$)[a-z](?:-?[a-z0-9])*$/,
    idMust: environmentNameMust,
    schema: environmentSchema,
    nested: {},
  });
  const problems = [
    ...folderProblems(root),
    ...environments.flatMap((values) => {
      const file = fileOf(values.id);
      return [...environmentSettings.flatMap((name) => refusal(file, name, values)), ...topicRefusal(file, values)];
    }),
  ];
  if (problems.length > 0) throw new InvalidDeclarations(problems);
  return environments;
}

export interface ChosenEnvironment {
  /**
   * Name of the file without `.yaml`.
   * @default - none: no file is used
   */
  readonly name?: string;
  /** Settings to add to the context. */
  readonly settings: Readonly<Record<string, unknown>>;
  /**
   * Account and Region of the stacks.
   * @default - account and Region of the credentials
   */
  readonly env?: { readonly account: string; readonly region: string };
}

const same = (one: unknown, other: unknown) =>
  // Values from the command line are strings.
  JSON.stringify(one) === JSON.stringify(other) || String(one) === other;

/**
 * Returns a sentence for each setting that has another value in the context.
 * @param place where the settings are
 */
export function conflictsWith(
  given: IConstruct,
  settings: Readonly<Record<string, unknown>>,
  place: string,
): readonly string[] {
  const context = given.node.getAllContext() as Readonly<Record<string, unknown>>;
  return Object.entries(settings).flatMap(([name, value]) => {
    const other = context[name];
    if (other === undefined || same(value, other)) return [];
    return [
      `\`${name}\` is ${JSON.stringify(value)} in ${place} and ${JSON.stringify(other)} in the context: remove one of them.`,
    ];
  });
}

/**
 * Returns the environment that the context names, the default environment, or an environment without settings.
 * @param given construct with the context of `cdk.json` and of the command line
 * @param root parent of `environments/`
 * @throws InvalidDeclarations with all problems of all files
 * @throws InvalidSetting if no file has the name, or a setting has different values in the file and in the context
 */
export function chosenEnvironment(given: IConstruct, root: string): ChosenEnvironment {
  const environments = readEnvironments(root);
  const named: unknown = given.node.tryGetContext(SETTING);
  const isNamed = named !== undefined && named !== '';
  const name = isNamed ? named : DEFAULT;
  const found = environments.find(({ id }) => id === name);
  if (!found && !isNamed) return { settings: {} };
  const known = environments.map(({ id }) => id).join(', ') || 'none';
  if (!found)
    throw new InvalidSetting(
      `The context \`${SETTING}\` must be the name of a file in ${FOLDER}/ (${known}), got ${JSON.stringify(name)}.`,
    );
  const { id, account, region, ...values } = found;
  const conflicts = conflictsWith(given, values, fileOf(id));
  if (conflicts.length > 0) throw new InvalidSetting(conflicts.join('\n'));
  const isPlaced = account !== undefined && region !== undefined && !given.node.getAllContext()[WITHOUT_PLACE];
  return { name: id, settings: values, ...(isPlaced && { env: { account, region } }) };
}
