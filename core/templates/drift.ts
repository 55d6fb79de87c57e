/**
 * Drift: the fields of a template that clients have changed since a deployment of the endpoint's file set them. The
 * next deployment that changes the endpoint's declaration sets them again.
 */
import { isDeepStrictEqual } from 'node:util';
import { DeclaredInGit } from '../requests/errors.ts';
import { type Drift, declaredFields, type Template, type TemplateSettings } from './template.ts';

/** Caller that changes a template. */
export type ChangedBy = Drift['by'];

/** Who changes a template, when, and the reason that the caller gives. */
export type Change = Pick<Drift, 'by' | 'at' | 'reason'>;

const PREFIX = 'endpoint-';

/** Returns the id of the template that an endpoint file contains, which is also its name. */
export const carriedId = (endpoint: string): string => `${PREFIX}${endpoint}`;

/** Returns the file that declares the template, or undefined if no file does. */
export function declaringFile({ id, origin, withdrawnAt }: Pick<Template, 'id' | 'origin' | 'withdrawnAt'>) {
  if (origin === 'endpoint') return `endpoints/${id.slice(PREFIX.length)}.yaml`;
  return origin === 'git' && withdrawnAt === undefined ? `templates/${id}.yaml` : undefined;
}

/** Returns the value of a field as drift stores it: an absent registry login is an empty string. */
const fieldOf = (template: Readonly<Partial<TemplateSettings>>, field: Drift['field']) => template[field] ?? '';

const differs = (
  template: Readonly<Partial<TemplateSettings>>,
  { field, declared }: Pick<Drift, 'field' | 'declared'>,
) => !isDeepStrictEqual(fieldOf(template, field), declared);

/**
 * Adds to an edited template the fields that now differ from its file. A field that has its declared value again is
 * removed from them.
 * @param from the template before the edit
 */
export function withDrift(from: Template, edited: Template, { by, at, reason }: Change): Template {
  if (from.origin !== 'endpoint') return edited;
  const { drift: before = [], ...rest } = edited;
  const drift = declaredFields.flatMap((field): Drift[] => {
    const known = before.find((each) => each.field === field);
    const declared = known?.declared ?? fieldOf(from, field);
    if (!differs(edited, { field, declared })) return [];
    if (known && !differs(edited, { field, declared: fieldOf(from, field) })) return [known];
    return [{ field, declared, by, at, ...(reason !== undefined && { reason }) }];
  });
  return drift.length > 0 ? { ...rest, drift } : rest;
}

/**
 * Refuses an edit of declared fields, unless a signed-in user gives a reason. An edit that restores declared values is
 * not refused.
 * @throws DeclaredInGit
 */
export function assertUnlocked(from: Template, to: Template, { by, reason }: Pick<Change, 'by' | 'reason'>): void {
  const file = declaringFile(to);
  if (file === undefined || (by.kind === 'user' && reason !== undefined)) return;
  const changed = to.drift?.filter(({ field }) => differs(to, { field, declared: fieldOf(from, field) })) ?? [];
  if (changed.length === 0) return;
  throw new DeclaredInGit(file, changed.map(({ field }) => `\`${field}\``).join(', '), by.kind);
}

/** Returns the changes that return the template to its file. */
export function declaredValues({ drift = [] }: Pick<Template, 'drift'>): Partial<Template> {
  const values = drift.map(({ field, declared }) => [
    field,
    field === 'containerRegistryAuthId' && declared === '' ? undefined : declared,
  ]);
  return { ...Object.fromEntries(values), drift: undefined };
}

/** Returns the drift that a deployment with these settings overwrites. */
export const overwrittenBy = (settings: Partial<TemplateSettings>, present: Template): readonly Drift[] =>
  present.drift?.filter(({ field }) => differs(settings, { field, declared: fieldOf(present, field) })) ?? [];

/** Drift in responses. */
export interface DriftResponse extends Omit<Drift, 'at'> {
  /** ISO 8601. */
  readonly at: string;
}

export const driftResponseOf = (drift: readonly Drift[]): DriftResponse[] =>
  drift.map((each) => ({ ...each, at: new Date(each.at).toISOString() }));

/** Maximum length of a caller's name in a sentence: the answer to CloudFormation has at most 4 KB. */
const SHOWN_NAME = 40;

/** Returns a phrase without values: the field, and who changed it when. */
export const driftPhrase = ({ field, by, at }: Omit<DriftResponse, 'declared'>): string =>
  `${field}, changed by the ${by.kind} ${by.name.slice(0, SHOWN_NAME).toWellFormed()} at ${at}`;
