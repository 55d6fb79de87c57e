/** `gpu-endpoints templates`: lists, reads, creates, updates and deletes templates. */
import type { Command } from 'commander';
import type { DriftResponse } from '../../core/templates/drift.ts';
import { templateListLimits } from '../../core/templates/limits.ts';
import { withExample } from '../example.ts';
import { call, segment } from './call.ts';
import { type CommonOptions, common, jsonFrom, type PageOptions, paged, printNext, serviceOf } from './options.ts';
import { ago, printFacts, printJson, printTable } from './print.ts';

/** The members of a template that commands print. `--json` prints all. */
interface Template {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly imageName: string;
  readonly category?: string;
  readonly containerDiskInGb?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly declaredIn?: string;
  readonly drift?: readonly DriftResponse[];
  readonly endpoints?: readonly { readonly id: string }[];
}

interface TemplateList {
  readonly templates: readonly Template[];
  readonly nextCursor?: string;
}

async function list(options: PageOptions): Promise<void> {
  const { limit, cursor } = options;
  const query = { limit, cursor };
  const answer = await call<TemplateList>(serviceOf(options), 'management', 'GET', '/templates', { query });
  if (options.json) return printJson(answer);
  printTable<Template>(
    [
      { head: 'TEMPLATE', text: ({ id }) => id },
      { head: 'NAME', text: ({ name }) => name, shrinks: 'end' },
      { head: 'VERSION', text: ({ version }) => version, isNumber: true },
      { head: 'DECLARED IN', text: ({ declaredIn }) => declaredIn },
      { head: 'IMAGE', text: ({ imageName }) => imageName, shrinks: 'start' },
    ],
    answer.templates,
    'There are no templates.',
  );
  printNext(answer.nextCursor);
}

/** Returns what differs from the template's file, who changed it and why. */
const changeOf = ({ field, by, at, reason }: DriftResponse) =>
  `${field}, by the ${by.kind} ${by.name} ${ago(at)}${reason === undefined ? '' : `: ${reason}`}`;

function print(template: Template, { json }: CommonOptions): void {
  if (json) {
    printJson(template);
    return;
  }
  const { id, name, version, imageName, category, containerDiskInGb, env = {} } = template;
  const { declaredIn, drift = [], endpoints } = template;
  printFacts([
    ['Template', id],
    ['Name', name],
    ['Version', version],
    ['Image', imageName],
    ['Category', category],
    ['Disk', containerDiskInGb === undefined ? undefined : `${containerDiskInGb} GB`],
    ['Variables', Object.keys(env).join(', ')],
    ['Declared in', declaredIn],
    ['Endpoints', endpoints?.map((endpoint) => endpoint.id).join(', ')],
    ...drift.map((change): readonly [string, string] => ['Changed', changeOf(change)]),
  ]);
}

async function get(id: string, options: CommonOptions): Promise<void> {
  print(await call<Template>(serviceOf(options), 'management', 'GET', `/templates/${segment(id)}`), options);
}

interface WriteOptions extends CommonOptions {
  readonly fields: string;
}

/** Returns the JSON object of `--fields`, which the service checks. */
const fieldsOf = async ({ fields }: WriteOptions) => (await jsonFrom('--fields', fields)) as object;

async function create(options: WriteOptions): Promise<void> {
  const body = await fieldsOf(options);
  print(await call<Template>(serviceOf(options), 'management', 'POST', '/templates', { body }), options);
}

async function update(id: string, options: WriteOptions): Promise<void> {
  const body = await fieldsOf(options);
  const path = `/templates/${segment(id)}/update`;
  print(await call<Template>(serviceOf(options), 'management', 'POST', path, { body }), options);
}

async function remove(id: string, options: CommonOptions): Promise<void> {
  const answer = await call<{ id: string }>(serviceOf(options), 'management', 'DELETE', `/templates/${segment(id)}`);
  if (options.json) printJson(answer);
  else console.log(`${answer.id} is deleted.`);
}

export function addTemplates(program: Command): void {
  const templates = withExample(
    program.command('templates').description('list, read, create, update and delete templates'),
    'templates ls',
  );
  const { max } = templateListLimits.page;
  common(
    paged(
      templates.command('ls').description('list the templates that the owner of the key can use'),
      'templates',
      max,
      max,
    ),
    'GET /v1/templates',
    'templates ls',
  ).action(list);
  const ofTemplate = (command: Command) => command.argument('<template>', 'id of the template');
  common(
    ofTemplate(templates.command('get').description('print a template')),
    'GET /v1/templates/TEMPLATE',
    'templates get echo',
  ).action(get);
  const withFields = (command: Command) =>
    command.requiredOption('--fields <json>', 'fields of the template: JSON, @FILE, or - for the standard input');
  common(
    withFields(templates.command('create').description('create a template')),
    'POST /v1/templates',
    `templates create --fields '{"name": "chat", "imageName": "team/chat:1.0"}'`,
  ).action(create);
  common(
    withFields(
      ofTemplate(
        templates
          .command('update')
          .description(
            'change fields of a template, which starts a release of each endpoint that uses it; a field such as env is replaced as a whole, and a file that declares it restores it at the next deployment',
          ),
      ),
    ),
    'POST /v1/templates/TEMPLATE/update',
    `templates update chat --fields '{"imageName": "team/chat:1.1", "reason": "fixes the tokenizer"}'`,
  ).action(update);
  common(
    ofTemplate(templates.command('delete').description('delete a template that no endpoint uses')),
    'DELETE /v1/templates/TEMPLATE',
    'templates delete chat',
  ).action(remove);
}
