/** Fields of a template, in the sections of its form. */
import Checkbox from '@cloudscape-design/components/checkbox';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { FieldError, FormErrors } from '../../api/field-errors.ts';
import { concerned } from '../../template/env.ts';
import { fields } from '../../template/fields.ts';
import { categories } from '../../template/kind.ts';
import type { Draft } from './draft.ts';
import { EnvEditor } from './env-editor.tsx';
import { Field, ListField } from './field.tsx';
import { ListEditor } from './list-editor.tsx';
import { ReadmeEditor } from './readme-editor.tsx';

export interface SectionProps {
  readonly draft: Draft;
  readonly errors: FormErrors;
  readonly onChange: (changes: Partial<Draft>) => void;
}

type TextField = 'name' | 'imageName' | 'containerRegistryAuthId' | 'volumeMountPath';

function Text({ of, draft, onChange, placeholder = '' }: SectionProps & { of: TextField; placeholder?: string }) {
  return (
    <Input
      value={draft[of]}
      spellcheck={false}
      placeholder={placeholder}
      onChange={({ detail }) => onChange({ [of]: detail.value })}
    />
  );
}

function Gigabytes({ of, draft, onChange }: SectionProps & { of: 'containerDiskInGb' | 'volumeInGb' }) {
  return <Input value={draft[of]} inputMode="numeric" onChange={({ detail }) => onChange({ [of]: detail.value })} />;
}

/** @param isNew whether category and kind of instances can still be chosen; both are fixed after the creation */
export function Basics({ isNew, ...props }: SectionProps & { readonly isNew: boolean }) {
  const { draft, errors, onChange } = props;
  const options = categories.map((category) => ({ value: category, label: category }));
  return (
    <Container header={<Header variant="h2">Template</Header>}>
      <SpaceBetween size="l">
        <Field of="name" errors={errors} constraint="1 to 191 characters. Must be unique.">
          <Text of="name" {...props} />
        </Field>
        <Field of="imageName" errors={errors} constraint="At most 255 characters, with its tag or digest.">
          <Text of="imageName" {...props} placeholder="registry.example.com/team/worker:1.2" />
        </Field>
        <Field
          of="containerRegistryAuthId"
          errors={errors}
          description="For a private image: the id of a login that was stored with `npx gpu-endpoints registry`."
          constraint="Leave empty if the image needs no login."
        >
          <Text of="containerRegistryAuthId" {...props} />
        </Field>
        <Field
          of="category"
          errors={errors}
          description="Hardware of the workers. An endpoint can only use templates for its own kind of capacity."
          constraint={isNew ? 'Cannot be changed later.' : 'Cannot be changed.'}
        >
          <Select
            selectedOption={options.find(({ value }) => value === draft.category) ?? null}
            options={options}
            disabled={!isNew}
            onChange={({ detail }) => {
              const category = categories.find((each) => each === detail.selectedOption.value);
              if (category) onChange({ category });
            }}
          />
        </Field>
        <Field of="isServerless" errors={errors} {...(!isNew && { constraint: 'Cannot be changed.' })}>
          <Checkbox
            checked={draft.isServerless}
            disabled={!isNew}
            description="Endpoints can only run templates for serverless workers."
            onChange={({ detail }) => onChange({ isServerless: detail.checked })}
          >
            The instances are serverless workers
          </Checkbox>
        </Field>
        <Field of="isPublic" errors={errors}>
          <Checkbox
            checked={draft.isPublic}
            description="Other owners can read and use it. They see the names of its variables, but not the values."
            onChange={({ detail }) => onChange({ isPublic: detail.checked })}
          >
            Every user can use this template
          </Checkbox>
        </Field>
      </SpaceBetween>
    </Container>
  );
}

export function Disks(props: SectionProps) {
  const { errors } = props;
  return (
    <Container header={<Header variant="h2">Disk and volume</Header>}>
      <ColumnLayout columns={3}>
        <Field of="containerDiskInGb" errors={errors} constraint="1 to 16000 GB. Empty when a worker starts.">
          <Gigabytes of="containerDiskInGb" {...props} />
        </Field>
        <Field of="volumeInGb" errors={errors} constraint="0 to 16000 GB. Its files are kept. 0 for no volume.">
          <Gigabytes of="volumeInGb" {...props} />
        </Field>
        <Field of="volumeMountPath" errors={errors} constraint="An absolute path in the container.">
          <Text of="volumeMountPath" {...props} />
        </Field>
      </ColumnLayout>
    </Container>
  );
}

const textOf = (errors: readonly FieldError[]) => errors.map(({ text }) => text).join(' ');

interface ListSectionProps extends SectionProps {
  readonly of: 'dockerEntrypoint' | 'dockerStartCmd' | 'ports';
  readonly description: string;
  readonly entry: string;
  readonly empty: string;
  readonly max: number;
  readonly placeholder?: string;
}

function ListSection({ of, description, draft, errors, onChange, ...editor }: ListSectionProps) {
  const here = errors.fields[of] ?? [];
  return (
    <ListField
      label={fields[of].label}
      description={description}
      error={textOf(here.filter(({ index }) => index === undefined))}
    >
      <ListEditor {...editor} values={draft[of]} errors={here} onChange={(values) => onChange({ [of]: values })} />
    </ListField>
  );
}

export function Command(props: SectionProps) {
  const own = "The image's own is used.";
  return (
    <Container header={<Header variant="h2">Command and ports</Header>}>
      <SpaceBetween size="l">
        <ListSection
          {...props}
          of="dockerEntrypoint"
          description="Replaces the image's ENTRYPOINT. One word per row."
          entry="word"
          max={256}
          empty={own}
        />
        <ListSection
          {...props}
          of="dockerStartCmd"
          description="Replaces the image's CMD. One word per row."
          entry="word"
          max={256}
          empty={own}
        />
        <ListSection
          {...props}
          of="ports"
          description="Ports that the container listens on, each with http or tcp."
          entry="port"
          max={50}
          empty="No ports."
          placeholder="8080/http"
        />
      </SpaceBetween>
    </Container>
  );
}

export function Environment({ draft, errors, onChange }: SectionProps) {
  const all = errors.fields.env ?? [];
  const rows = new Map(all.flatMap(({ text }) => concerned(text, draft.env).map((row) => [row, text] as const)));
  const general = all.filter(({ text }) => concerned(text, draft.env).length === 0);
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="A secret is a value stored with `npx gpu-endpoints secrets`. Only the container gets it. Values of variables whose names suggest credentials are not shown."
        >
          Environment variables
        </Header>
      }
    >
      <ListField error={textOf(general)}>
        <EnvEditor variables={draft.env} errors={rows} onChange={(env) => onChange({ env })} />
      </ListField>
    </Container>
  );
}

export function ReadmeSection({ draft, errors, onChange }: SectionProps) {
  return (
    <Container header={<Header variant="h2">Readme</Header>}>
      <ListField
        description="Markdown of at most 100 KB. HTML is shown as text."
        error={textOf(errors.fields.readme ?? [])}
      >
        <ReadmeEditor text={draft.readme} onChange={(readme) => onChange({ readme })} />
      </ListField>
    </Container>
  );
}
