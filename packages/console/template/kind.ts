/** Sorts and filters templates for their list. */
import type { ListedTemplate, Template } from '../api/management-types.ts';

export type Category = Template['category'];

export const categories = ['NVIDIA', 'AMD', 'CPU'] as const satisfies readonly Category[];

/** Audiences of templates. The service does not return the author of a template. */
export const kinds = ['private', 'public', 'official'] as const;
export type Kind = (typeof kinds)[number];

export const nameOfKind: Readonly<Record<Kind, string>> = {
  private: 'Private',
  public: 'Public',
  official: 'Official',
};

/**
 * Returns the kind of a template. A private template belongs to the user's owner, because the service does not list
 * private templates of other owners.
 */
export function kindOf({ isPlatform, isPublic }: Pick<Template, 'isPlatform' | 'isPublic'>): Kind {
  if (isPlatform) return 'official';
  return isPublic ? 'public' : 'private';
}

const HEXADECIMAL = /\b([0-9a-f]{12})[0-9a-f]{20,}\b/g;
const LONG = 60;

/** Shortens the name of an image: cuts digests, and keeps only the last part of a name that is still too long. */
export function shortImage(imageName: string): string {
  const short = imageName.replace(HEXADECIMAL, '$1…');
  return short.length > LONG && short.includes('/') ? `…${short.slice(short.lastIndexOf('/'))}` : short;
}

export interface Filter {
  readonly category?: Category | undefined;
  readonly kind?: Kind | undefined;
  /** Part of a name, an image or an id; case is ignored. */
  readonly text?: string;
}

const includes = (text: string, part: string) => text.toLowerCase().includes(part);

/** @returns the templates that match the filter, sorted by name */
export function filtered<Listed extends ListedTemplate>(templates: readonly Listed[], filter: Filter): Listed[] {
  const part = (filter.text ?? '').trim().toLowerCase();
  return templates
    .filter((template) => filter.category === undefined || template.category === filter.category)
    .filter((template) => filter.kind === undefined || kindOf(template) === filter.kind)
    .filter(({ name, imageName, id }) => [name, imageName, id].some((text) => includes(text, part)))
    .toSorted((one, other) => one.name.localeCompare(other.name) || one.id.localeCompare(other.id));
}

const known = <Value extends string>(values: readonly Value[], text: string | null) =>
  values.find((value) => value === text);

/** Reads the filter from an address. Unknown values are ignored. */
export const filterOf = (query: URLSearchParams): Filter => ({
  category: known(categories, query.get('category')),
  kind: known(kinds, query.get('kind')),
  text: query.get('search') ?? '',
});
