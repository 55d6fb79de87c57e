/** Writes `docs/permissions.md` from the reasons of the grants. */
import { type ExplainedGrant, type Row, reasons, reasonsWithoutIngress, rowsOf } from './reasons.ts';
import { roles, rolesWithoutIngress } from './roles.ts';

export const PAGE = 'docs/permissions.md';

const INTRODUCTION = `# Permissions

What each role of the stacks may do, and why. \`npm run permissions -- --page\` writes this page from the reasons that stand
beside the grants in \`lib/\`. \`test/acceptance/permissions.test.ts\` runs the stacks on a laptop until every function
and every worker has used what it is granted, and fails if a role is granted anything that is not here, if something
here is not granted, if something was not used, or if it is granted twice. \`npm run permissions -- --prove\` takes the
statements away one by one and shows that the run fails for each.

Roles of endpoints are listed once: every endpoint has its own pair, which names its own queues, partitions and
prefixes. The policies of functions let services call them; queues and the bucket refuse requests without TLS.`;

const code = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join('<br>');

/** Pads columns to the width of their widest cell, as the formatter does. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
}

/** Groups roles with the same permissions that are unused for the same reason into one row. */
function unusedRows(all: readonly ExplainedGrant[]): string[][] {
  const unused = all.filter((grant) => grant.unused !== undefined);
  const rows = Object.keys(roles).flatMap((role) =>
    rowsOf(unused.filter((grant) => grant.role === role)).map((row) => ({ role, row })),
  );
  return [...Map.groupBy(rows, ({ row }) => JSON.stringify(row)).values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const its = [first, ...others].map(({ role }) => role);
    const { actions, resources, unused: reason = '' } = first.row;
    return [[its.length > 3 ? `${its.length} functions` : code(its), code(actions), resources.join('<br>'), reason]];
  });
}

const cellsOf = ({ actions, resources, why, unused, seldom }: Row): string[] => [
  code(actions),
  resources.join('<br>'),
  [
    why,
    ...(unused === undefined ? [] : ['Never used on a laptop.']),
    ...(seldom ? [`Seldom used: ${seldom}`] : []),
  ].join(' '),
];

const sectionOf = (role: string, whose: string, all: readonly ExplainedGrant[]): string => {
  const rows = rowsOf(all.filter((grant) => grant.role === role))
    .toSorted((one, other) => Number(one.unused !== undefined) - Number(other.unused !== undefined))
    .map(cellsOf);
  return `### ${role}\n\n${whose}.\n\n${table(['may', 'on', 'why'], rows)}`;
};

export function page(): string {
  const sections = Object.entries(roles).map(([role, whose]) => sectionOf(role, whose, reasons()));
  const instead = Object.entries(rolesWithoutIngress).map(([role, whose]) =>
    sectionOf(role, whose, reasonsWithoutIngress()),
  );
  return `${[
    INTRODUCTION,
    '## Granted and never used',
    'Nothing that runs on a laptop uses these. All else was used, and nothing else would have allowed it.',
    table(['role', 'may', 'on', 'why it is granted'], unusedRows(reasons())),
    '## By role',
    ...sections,
    '## With `ingress: off`',
    'Functions do what the ingress does, and a custom resource reads how many calls may wait. The roles of the ingress do not exist, and these do. They are compared with the template, because no run uses them.',
    ...instead,
  ].join('\n\n')}\n`;
}
