/** The response for a template. */
import { MINUTE } from '../limits.ts';
import { isOfficial } from './access.ts';
import type { TemplatePorts } from './store.ts';
import type { Template, TemplateSettings } from './template.ts';

export interface TemplateRecord extends Required<TemplateSettings> {
  readonly id: string;
  readonly isPlatform: boolean;
  /** Credits of its creator. */
  readonly earned: number;
  /** Whole minutes that its ended workers ran. */
  readonly runtimeInMin: number;
  readonly version: number;
}

/** A template as the reading routes return it. */
export interface ReadTemplateRecord extends TemplateRecord {
  /** When its file was deleted, as ISO 8601. Only official templates that endpoints still use have it. */
  readonly withdrawnAt?: string;
}

const HIDDEN = '********';

/** Returns the variables to the template's owner; another owner gets their names only. */
const envFor = (reader: string, { owner, env }: Template): Record<string, string> =>
  reader === owner ? env : Object.fromEntries(Object.keys(env).map((name) => [name, HIDDEN]));

interface Reading {
  /** Owner of the caller's key. */
  readonly reader: string;
  /** Run time of its workers, in milliseconds. */
  readonly ran: number;
  readonly earnedPerMinute: number;
}

export function recordOf(template: Template, { reader, ran, earnedPerMinute }: Reading): TemplateRecord {
  const { id, name, imageName, category, containerDiskInGb, volumeInGb, volumeMountPath } = template;
  const { dockerEntrypoint, dockerStartCmd, ports, isPublic, isServerless, readme, version } = template;
  const runtimeInMin = Math.floor(ran / MINUTE);
  return {
    id,
    name,
    imageName,
    category,
    containerDiskInGb,
    volumeInGb,
    volumeMountPath,
    containerRegistryAuthId: template.containerRegistryAuthId ?? '',
    dockerEntrypoint,
    dockerStartCmd,
    env: envFor(reader, template),
    ports,
    isPublic,
    isServerless,
    isPlatform: isOfficial(template),
    earned: runtimeInMin * earnedPerMinute,
    readme,
    runtimeInMin,
    version,
  };
}

/** Returns the records of templates, in their order, as the owner of a key sees them. */
export async function recordsOf(
  { templates, earnedPerMinute }: Pick<TemplatePorts, 'templates' | 'earnedPerMinute'>,
  all: readonly Template[],
  reader: string,
): Promise<ReadTemplateRecord[]> {
  const ran = await templates.runTimes(all.map(({ id }) => id));
  return all.map((template) => ({
    ...recordOf(template, { reader, ran: ran.get(template.id) ?? 0, earnedPerMinute }),
    ...(template.withdrawnAt !== undefined && { withdrawnAt: new Date(template.withdrawnAt).toISOString() }),
  }));
}

export async function record(
  ports: Pick<TemplatePorts, 'templates' | 'earnedPerMinute'>,
  template: Template,
  reader: string,
): Promise<ReadTemplateRecord> {
  const [its] = await recordsOf(ports, [template], reader);
  if (!its) throw new Error(`Template ${template.id} has no record.`);
  return its;
}
