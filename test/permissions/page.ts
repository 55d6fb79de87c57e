/** `docs/permissions.md`, made of the reasons. */
import { type Reason, reasons } from './reasons.ts';
import { type Role, roles } from './roles.ts';
import { type RoleWithoutIngress, reasonsWithoutIngress, rolesWithoutIngress } from './without-ingress.ts';

export const PAGE = 'docs/permissions.md';

const INTRODUCTION = `# Permissions

What each role of the stacks may do, and why. This page is made of \`test/permissions/reasons.ts\` by
\`npm run permissions -- --page\`. \`test/acceptance/permissions.test.ts\` runs the stacks on a laptop until every function
and every worker has used what it is granted, and fails if a role is granted anything that is not here, if something
here is not granted, if something was not used, or if it is granted twice. \`npm run permissions -- --prove\` takes the
statements away one by one and shows that the run fails for each.

Roles of endpoints are listed once: every endpoint has its own pair, which names its own queues, partitions and
prefixes. Services that call functions are allowed to by the functions; queues and the bucket refuse whatever comes
without TLS.`;

const code = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join('<br>');

/** Columns as wide as their widest cell, as the formatter has them. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
}

/** Roles that are given the same for the same reason share a line. */
const unusedRow = ({ roles: its, actions, resources, unused = '' }: Reason) => {
  const whose = its.length > 3 ? `${its.length} functions` : code(its);
  return [whose, code(actions), resources.join('<br>'), unused];
};

const ofRole = (role: Role) =>
  reasons
    .filter((reason) => reason.roles.includes(role))
    .map(({ actions, resources, why, unused, seldom }) => [
      code(actions),
      resources.join('<br>'),
      [
        why,
        ...(unused === undefined ? [] : ['Never used on a laptop.']),
        ...(seldom ? [`Seldom used: ${seldom}`] : []),
      ].join(' '),
    ]);

export function page(): string {
  const unused = reasons.filter((reason) => reason.unused !== undefined);
  const sections = (Object.entries(roles) as [Role, string][]).map(
    ([role, whose]) => `### ${role}\n\n${whose}.\n\n${table(['may', 'on', 'why'], ofRole(role))}`,
  );
  const instead = (Object.entries(rolesWithoutIngress) as [RoleWithoutIngress, string][]).map(([role, whose]) => {
    const rows = reasonsWithoutIngress
      .filter(({ roles: its }) => its.includes(role))
      .map(({ actions, resources, why }) => [code(actions), resources.join('<br>'), why]);
    return `### ${role}\n\n${whose}.\n\n${table(['may', 'on', 'why'], rows)}`;
  });
  return `${[
    INTRODUCTION,
    '## Granted and never used',
    'Nothing that runs on a laptop uses these. All else was used, and nothing else would have allowed it.',
    table(['role', 'may', 'on', 'why it is granted'], unused.map(unusedRow)),
    '## By role',
    ...sections,
    '## With `ingress: off`',
    'Functions do what the ingress does, and a custom resource reads how many calls may wait. The roles of the ingress do not exist, and these do. They are compared with the template, because no run uses them.',
    ...instead,
  ].join('\n\n')}\n`;
}
