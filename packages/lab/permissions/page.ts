/** Writes `docs/reference/permissions.md` from the reasons of the grants. */
import { type ExplainedGrant, type Row, reasons, reasonsWithoutIngress, rowsOf } from './reasons.ts';
import { roles, rolesWithoutIngress } from './roles.ts';

export const PAGE = 'docs/reference/permissions.md';

const INTRODUCTION = `# Permissions

This page lists the permissions of each role of the stacks, and their reasons.
\`npm run permissions -w packages/lab -- --page\` generates it from the reasons beside the grants in \`lib/\`.
\`packages/lab/permissions/permissions.long.ts\` runs the stacks on a laptop until every function and every worker has
used its permissions. The test fails if a granted permission is not on this page, or if a permission on this page is not
granted or granted twice. It also fails if a permission is not used, unless its row says when it is used.
\`npm run permissions -w packages/lab -- --prove\` removes one statement at a time and shows that each run then fails.

Each endpoint has its own pair of roles, with permissions for its own queues, partitions and prefixes. The page lists
them once. Resource policies of functions let services call the functions. Those of the queues and the bucket refuse
requests without TLS.`;

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

const cellsOf = ({ actions, resources, reason, unused, sometimes }: Row): string[] => [
  code(actions),
  resources.join('<br>'),
  [
    reason,
    ...(unused === undefined ? [] : ['Never used on a laptop.']),
    ...(sometimes ? [`Not used in every run: ${sometimes}`] : []),
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
    'No run on a laptop uses these permissions. Every run uses each other permission, unless its row says when it is used. No other statement allows the same.',
    table(['role', 'may', 'on', 'why it is granted'], unusedRows(reasons())),
    '## By role',
    ...sections,
    '## With `ingress: off`',
    'Functions replace the ingress, and a custom resource reads how many calls can wait. The following roles replace those of the ingress. A test compares them with the template, because no run uses them.',
    ...instead,
  ].join('\n\n')}\n`;
}
