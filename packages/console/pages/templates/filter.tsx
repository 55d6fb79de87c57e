/** Filters of the list of templates. The address contains them. */
import './templates.css';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import Select from '@cloudscape-design/components/select';
import TextFilter from '@cloudscape-design/components/text-filter';
import { type Parameters, useParameters } from '../../shell/parameter.ts';
import { categories, type Filter, kinds, nameOfKind } from '../../template/kind.ts';
import type { Templates } from '../../template/queries.ts';

const EVERY = 'all';

interface Props {
  readonly filter: Filter;
  readonly templates: Pick<Templates, 'counts' | 'isCut'>;
  readonly found: number;
}

const kindOptions = [
  { value: '', label: 'Any user' },
  ...kinds.map((kind) => ({ value: kind, label: nameOfKind[kind] })),
];

export function TemplateFilter({ filter, templates: { counts }, found }: Props) {
  const [, setParameters] = useParameters();
  // A filter is not a separate page: Back opens the previous page. A new filter starts at its first page.
  const set = (changes: Parameters) => setParameters({ ...changes, page: undefined }, { replace: true });
  const known = categories.map((category) => counts[category]);
  const total = known.includes(undefined) ? undefined : known.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  const counted = (text: string, count: number | undefined) => (count === undefined ? text : `${text} (${count})`);
  const isFiltered = filter.kind !== undefined || filter.text !== '';

  return (
    <div className="template-filter">
      <SegmentedControl
        label="Category"
        selectedId={filter.category ?? EVERY}
        options={[
          { id: EVERY, text: counted('All', total) },
          ...categories.map((category) => ({ id: category, text: counted(category, counts[category]) })),
        ]}
        onChange={({ detail }) => set({ category: detail.selectedId === EVERY ? undefined : detail.selectedId })}
      />
      <div className="template-search">
        <TextFilter
          filteringText={filter.text ?? ''}
          filteringAriaLabel="Find templates"
          filteringPlaceholder="Find by name, image or id"
          filteringClearAriaLabel="Clear the search"
          countText={isFiltered ? `${found} ${found === 1 ? 'template' : 'templates'}` : ''}
          onChange={({ detail }) => set({ search: detail.filteringText })}
        />
      </div>
      <Select
        ariaLabel="Available to"
        selectedOption={kindOptions.find(({ value }) => value === (filter.kind ?? '')) ?? null}
        options={kindOptions}
        onChange={({ detail }) => set({ kind: detail.selectedOption.value })}
      />
    </div>
  );
}
