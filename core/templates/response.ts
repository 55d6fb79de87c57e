/** The response for a template. */
import { MINUTE } from '../limits.ts';
import { isOfficial } from './access.ts';
import { type DriftResponse, declaringFile, driftResponseOf } from './drift.ts';
import type { TemplatePorts } from './store.ts';
import type { Template, TemplateSettings } from './template.ts';

export interface TemplateResponse extends Required<TemplateSettings> {
  readonly id: string;
  readonly isPlatform: boolean;
  /** Credits that the creator has earned. */
  readonly earned: number;
  /** Run time of stopped workers, in whole minutes. */
  readonly runtimeInMin: number;
  readonly version: number;
  /** The file that declares the template. Absent if no file does. */
  readonly declaredIn?: string;
  /** The fields that differ from the file. Absent if there are none, and for callers other than the owner. */
  readonly drift?: readonly DriftResponse[];
}

/** A template in responses of the reading routes. */
export interface ReadTemplateResponse extends TemplateResponse {
  /** When the template's file was deleted, in ISO 8601. Present only for withdrawn templates. */
  readonly withdrawnAt?: string;
}

const HIDDEN = '********';

/** Returns the variables for a caller. Only the template's owner gets their values. */
const envFor = (reader: string, { owner, env }: Template): Record<string, string> =>
  reader === owner ? env : Object.fromEntries(Object.keys(env).map((name) => [name, HIDDEN]));

/** Returns the file of the template and, for the owner, the fields that differ from it. */
function declarationFor(reader: string, template: Template): Pick<TemplateResponse, 'declaredIn' | 'drift'> {
  const declaredIn = declaringFile(template);
  const { drift } = template;
  return {
    ...(declaredIn !== undefined && { declaredIn }),
    ...(drift && reader === template.owner && { drift: driftResponseOf(drift) }),
  };
}

interface Reading {
  /** Owner of the caller. */
  readonly reader: string;
  /** Run time of the template's workers, in milliseconds. */
  readonly ran: number;
  readonly earnedPerMinute: number;
}

export function responseOf(template: Template, { reader, ran, earnedPerMinute }: Reading): TemplateResponse {
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
    ...declarationFor(reader, template),
  };
}

/** Returns the responses of templates for an owner, in the order of the templates. */
export async function responsesOf(
  { templates, earnedPerMinute }: Pick<TemplatePorts, 'templates' | 'earnedPerMinute'>,
  all: readonly Template[],
  reader: string,
): Promise<ReadTemplateResponse[]> {
  const ran = await templates.runTimes(all.map(({ id }) => id));
  return all.map((template) => ({
    ...responseOf(template, { reader, ran: ran.get(template.id) ?? 0, earnedPerMinute }),
    ...(template.withdrawnAt !== undefined && { withdrawnAt: new Date(template.withdrawnAt).toISOString() }),
  }));
}

export async function readResponse(
  ports: Pick<TemplatePorts, 'templates' | 'earnedPerMinute'>,
  template: Template,
  reader: string,
): Promise<ReadTemplateResponse> {
  const [its] = await responsesOf(ports, [template], reader);
  if (!its) throw new Error(`Template ${template.id} has no response.`);
  return its;
}
