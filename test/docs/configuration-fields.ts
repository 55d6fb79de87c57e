/** The fields of the YAML files and of the settings, from the JSON Schemas of their schemas. */
import { RootConstruct } from 'constructs';
import * as z from 'zod/mini';
import { poolSchema } from '../../lib/capacity/pool-declaration.ts';
import { reservedConcurrencyOf } from '../../lib/constructs/reserved-concurrency.ts';
import { environmentSchema, settingsByName } from '../../lib/deployment/environments.ts';
import { alarmDefaults } from '../../lib/endpoints/alarm-settings.ts';
import { declarationSchema } from '../../lib/endpoints/declaration-schema.ts';
import type { Setting } from '../../lib/settings/field-text.ts';
import { templateDefaults, templateSchema } from '../../lib/templates/declaration.ts';
import { carriedSettings } from '../../lib/templates/worker-settings.ts';
import { imageSchema } from '../../packages/emulator/ecs/images.ts';

type Fields = z.ZodMiniObject;

export interface Field {
  /** Returns whether the code accepts the value. */
  accepts(value: unknown): boolean;
  /** The value that the code uses without the field, or undefined if it depends on other fields. */
  readonly usual: unknown;
}

const settings: Readonly<Record<string, Setting>> = settingsByName;

function contextWith(name: string, value: unknown): RootConstruct {
  const scope = new RootConstruct();
  if (value !== undefined) scope.node.setContext(name, value);
  return scope;
}

/**
 * Reads a setting.
 * @throws InvalidSetting
 */
const readSetting = (name: string, value: unknown): unknown => settings[name]?.read(contextWith(name, value));

function isSetting(name: string, value: unknown): boolean {
  try {
    readSetting(name, value);
    return true;
  } catch {
    return false;
  }
}

const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType =>
  'innerType' in schema._zod.def ? unwrapped(schema._zod.def.innerType as z.core.$ZodType) : schema;

/**
 * Walks through a schema by the properties of its JSON Schema.
 * @param usual defaults that the schema lacks
 */
function* walk(
  fields: Fields,
  usual: Readonly<Record<string, unknown>> = {},
  prefix = '',
): Generator<readonly [name: string, field: Field]> {
  const { properties = {} } = z.toJSONSchema(fields, { io: 'input', unrepresentable: 'any' });
  for (const [property, rule] of Object.entries(properties)) {
    const name = `${prefix}${property}`;
    const schema = fields.shape[property] ?? z.never();
    const accepts = (value: unknown) => z.safeParse(schema, value).success;
    yield [name, { accepts, usual: usual[name] ?? z.safeParse(schema, undefined).data }];
    if (typeof rule === 'object' && rule.properties) yield* walk(unwrapped(schema) as Fields, usual, `${name}.`);
  }
}

const alarmsUnder = (prefix: string) =>
  Object.fromEntries(Object.entries(alarmDefaults).map(([name, value]) => [`${prefix}.${name}`, value]));

/** The defaults that the functions of settings use, as the context would contain them. */
const usualSettings: Readonly<Record<string, unknown>> = {
  reservedConcurrency: 'off',
  ...Object.fromEntries(
    [
      'concurrentExecutions',
      'dashboards',
      'declared',
      'deployment',
      'earnedPerMinute',
      'endpointMetrics',
      'historyDays',
      'webhookAlarmPercent',
    ].map((name) => [name, readSetting(name, undefined)]),
  ),
  ...alarmsUnder('endpointAlarms'),
  ...Object.fromEntries(
    (['authorizer', 'ledger', 'sweeper', 'observer'] as const).map((name) => [
      `reservedConcurrency.${name}`,
      reservedConcurrencyOf(contextWith('reservedConcurrency', 'on'), name),
    ]),
  ),
};

function walkSettings(): ReadonlyMap<string, Field> {
  const fields = new Map([...walk(environmentSchema)].filter(([name]) => !(name in settings)));
  fields.set('environment', { accepts: (value) => typeof value === 'string', usual: undefined });
  for (const [name, setting] of Object.entries(settings)) {
    fields.set(name, { accepts: (value) => isSetting(name, value), usual: usualSettings[name] });
    // Kinds of a mapping can share a field with different values.
    for (const [each, field] of (setting.fields ?? []).flatMap((kind) => [...walk(kind, usualSettings, `${name}.`)])) {
      const other = fields.get(each);
      fields.set(each, { ...field, accepts: (value) => field.accepts(value) || other?.accepts(value) === true });
    }
  }
  return fields;
}

const carried = carriedSettings({}, 'image');

/** The fields by page and name. */
export const fieldsByPage: Readonly<Record<string, ReadonlyMap<string, Field>>> = {
  'endpoints.md': new Map(walk(declarationSchema([]), { ...carried, ...alarmsUnder('alarms'), owner: 'platform' })),
  'pools.md': new Map(walk(poolSchema)),
  'templates.md': new Map(walk(templateSchema, { ...carried, ...templateDefaults })),
  'settings.md': walkSettings(),
  'images.md': new Map(walk(imageSchema)),
};
