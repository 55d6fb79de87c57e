/**
 * The calls of CloudFormation by which it creates, reads, changes and deletes a resource, by type. CloudFormation's
 * resource schemas declare them as an upper bound: they include the calls for properties that a resource may not have.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';

export const RECORDED = join(import.meta.dirname, 'handlers.yaml');

/** Actions such as `ecs:CreateService`, by type such as `AWS::ECS::Service`. */
export type Handlers = Readonly<Record<string, readonly string[]>>;

const recorded = z.record(z.string(), z.array(z.string().check(z.regex(/^[a-z0-9-]+:[\w.*]+$/i))));
const schema = z.object({
  typeName: z.string(),
  handlers: z.optional(z.record(z.string(), z.object({ permissions: z.optional(z.array(z.string())) }))),
});
const version = z.object({ schema_date: z.string() });

/** @throws ZodError if the file has another form */
export const readHandlers = (): Handlers => recorded.parse(parse(readFileSync(RECORDED, 'utf8')));

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

const byName = (one: string, other: string) => one.localeCompare(other);

/** Returns the actions of all handlers but `list`, which deployments do not use. */
function actionsOf({ typeName, handlers = {} }: z.infer<typeof schema>): [type: string, actions: string[]] {
  const used = Object.entries(handlers).filter(([name]) => name !== 'list');
  return [typeName, [...new Set(used.flatMap(([, { permissions = [] }]) => permissions))].toSorted(byName)];
}

/**
 * Returns the text of the recorded file.
 * @param folder the installed Python package `cfnlint`, which contains CloudFormation's schemas
 * @param types the types to record
 * @throws Error if the folder has no schemas, or no handlers of a type
 */
export function recordOf(folder: string, types: readonly string[]): string {
  const files = globSync(join(folder, 'data/schemas/resources/*.json'));
  if (files.length === 0) throw new Error(`${folder} contains no schemas. Run npm run synth && .ci/cfn-lint first.`);
  const declared = new Map(files.map((file) => actionsOf(schema.parse(readJson(file)))));
  const lines = types.map((type) => {
    const actions = declared.get(type) ?? [];
    if (actions.length === 0) throw new Error(`The schemas declare no handlers of ${type}.`);
    return `${type}: [${actions.join(', ')}]\n`;
  });
  const date = version.parse(readJson(join(folder, 'data/schemas/version.json'))).schema_date.slice(0, 10);
  return `# The calls that CloudFormation's handlers declare, by resource type, as of ${date}. Written by
# \`npx node bin/execution-policy.ts --record\` from the schemas that cfn-lint contains. To add a type, add a line with an empty
# list and run this command.
${lines.toSorted(byName).join('')}`;
}
