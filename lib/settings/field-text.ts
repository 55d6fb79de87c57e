/**
 * The texts of the reference of configuration. A schema registers the text of each of its fields, so that a field, its
 * rule and its sentence are in one place. `npm run generate` writes `docs/reference/configuration/` from them.
 */
import type { IConstruct } from 'constructs';
import * as z from 'zod/mini';

/** Pages and headings in `docs/` that describe fields. */
export const guides = {
  capacity: 'guides/capacity.md',
  capacityAmd: 'guides/capacity.md#how-do-i-get-an-amd-worker',
  capacityDisk: 'guides/capacity.md#how-fast-is-the-disk',
  capacityEmpty: 'guides/capacity.md#what-does-a-first-job-cost',
  capacityIsolation: 'guides/capacity.md#how-are-endpoints-isolated-on-a-machine',
  capacityPools: 'guides/capacity.md#which-instance-types-does-a-pool-use',
  capacitySize: 'guides/capacity.md#how-large-is-a-worker',
  capacitySpot: 'guides/capacity.md#how-do-i-use-spot',
  capacityWarm: 'guides/capacity.md#can-an-instance-be-ready-sooner',
  concurrency: 'guides/workers.md#how-do-i-run-several-jobs-at-the-same-time-on-one-worker',
  console: 'guides/console.md',
  contract: 'reference/contract.md',
  dashboards: 'guides/monitor.md#how-do-i-see-what-is-wrong',
  domain: 'guides/domain.md',
  environments: 'guides/environments.md',
  eventBridge: 'guides/eventbridge.md',
  environmentsOverrides: 'guides/environments.md#how-do-i-override-an-endpoint-in-one-environment',
  floods: 'explanation/front-door.md#floods',
  history: 'guides/history.md',
  httpWorker: 'guides/http-servers.md#how-do-i-declare-my-server',
  identityProvider: 'guides/sign-in.md',
  imageCaches: 'guides/capacity.md#how-do-i-pull-images-from-the-region',
  imageRepositories: 'guides/templates.md#from-which-repositories-of-amazon-ecr-can-workers-pull',
  images: 'guides/publish-images.md',
  ingress: 'guides/ingress.md',
  laptop: 'guides/workers.md#how-do-i-try-my-worker-on-my-laptop',
  budgets: 'guides/budgets.md',
  metrics: 'reference/metrics.md',
  monitor: 'guides/monitor.md',
  network: 'guides/network.md',
  permissionsBoundary: 'guides/git.md#what-can-a-deployment-do',
  reservedConcurrency: 'explanation/limits.md#executions-of-lambda',
  scaling: 'explanation/scaling.md#the-scaler',
  secrets: 'guides/secrets.md',
  streamEnvelope: 'reference/where-the-contract-is-silent.md',
  telemetry: 'guides/telemetry.md',
  templates: 'guides/templates.md',
  templatesDrift: 'guides/templates.md#what-if-a-client-changes-a-field-that-a-file-declares',
  templatesEarned: 'guides/templates.md#what-are-runtimeinmin-and-earned',
  templatesOfEndpoints: 'guides/templates.md#where-does-the-template-of-an-endpoint-come-from',
  templatesPinned: 'guides/templates.md#how-do-i-keep-an-endpoint-on-one-version',
  templatesTask: 'guides/templates.md#how-does-each-field-appear-in-the-task-definition',
  templatesUnsupported: 'guides/templates.md#what-can-an-endpoint-not-run',
  volumes: 'guides/volumes.md',
  volumesAlsoAt: 'guides/volumes.md#my-image-looks-for-its-files-at-runpod-volume',
  volumesPaths: 'guides/volumes.md#which-mount-paths-are-allowed',
  waits: 'explanation/limits.md#calls-that-wait',
  webPages: 'explanation/front-door.md#web-pages-as-clients',
  webhookFailures: 'guides/webhooks.md#how-do-i-monitor-failures',
  webhookNetworks: 'guides/webhooks.md#which-addresses-can-webhooks-use',
  workers: 'guides/workers.md',
} as const;

/** The text of a field in Markdown. The reference takes from the schema what the text omits. */
export interface FieldText {
  /** The effect of the field: one sentence. */
  readonly description: string;
  /** @default - the type in the schema */
  readonly type?: string;
  /**
   * Value of an omitted field.
   * @default - the default in the schema
   */
  readonly default?: unknown;
  /** What applies without the field, in words, if its default is not a single value. */
  readonly without?: string;
  /**
   * Allowed values in words.
   * @default - the rule of the schema
   */
  readonly allowed?: string;
  /** How the allowed values depend on other fields, as sentences. */
  readonly condition?: string;
  /** Unit of a number. */
  readonly unit?: 'ms' | 'GB';
  /** Page with details. */
  readonly guide?: keyof typeof guides;
}

/** The texts by schema. */
export const fieldTexts = z.registry<FieldText>();

/** Returns the allowed values of a message that begins with "must be". */
export const allowedBy = (must: string): string => must.replace(/^must be /, '');

/** Returns the allowed numbers; both ends are allowed. */
export const rangeOf = ({ min, max }: { readonly min: number; readonly max: number }): string => `${min} to ${max}`;

/** Condition of settings whose value is a mapping. */
export const NOT_ON_COMMAND_LINE = 'Not on the command line.';

/** A setting of the context. */
export interface Setting {
  /**
   * Reads the setting.
   * @throws InvalidSetting
   */
  readonly read: (scope: IConstruct) => unknown;
  readonly text: FieldText;
  /** Schemas of a mapping: one, or one for each kind of mapping. */
  readonly fields?: readonly z.ZodMiniObject[];
}
