/** Prints what a removal does, what it keeps, and what is left to do. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endpointOfStack, stackNameOf } from '../../core/deployment.ts';
import { declarationsFolder } from '../assembly/app-folder.ts';
import type { Context } from '../assembly/context.ts';
import type { ChosenDeployment } from '../chosen-deployment.ts';
import type { Facts, OwnStack, Target } from './facts.ts';
import type { Kept } from './kept.ts';
import { instancesIn, MAX_AT_ONCE } from './perform.ts';
import type { Plan, Step } from './plan.ts';

const stateOf = ({ name, status, isProtected }: OwnStack): string => {
  if (status === 'DELETE_IN_PROGRESS') return `${name} (is being deleted already)`;
  return isProtected ? `${name}, without its termination protection` : name;
};

function textOf(step: Step): string {
  if (step.do === 'delete') {
    const some = step.stacks.length > MAX_AT_ONCE ? `, ${MAX_AT_ONCE} at a time` : '';
    return `Delete ${step.stacks.map(stateOf).join(', ')}${some}`;
  }
  const running = instancesIn(step.pools);
  const names = step.pools.map(({ pool }) => pool).join(', ');
  return `Wait until the pools have no instances (${running || `${names}: none now`})`;
}

const sizeOf = ({ size }: Kept) =>
  size ? `, ${size.items.toLocaleString('en')} items, ${Math.ceil(size.bytes / 1_000).toLocaleString('en')} KB` : '';

const linesOf = (kept: Kept, withCommands: boolean) => [
  `  ${kept.what} ${kept.name}${sizeOf(kept)}`,
  ...(withCommands ? kept.commands.map((command) => `    ${command}`) : []),
];

/**
 * Returns what stays in AWS.
 * @param withCommands whether to add the commands that delete it after its stack is gone
 */
export function keptText({ kept, stacks, deployment }: Facts, target: Target, withCommands: boolean): string[] {
  if (target.of === 'endpoint' && stacks.some(({ stack }) => endpointOfStack(stack) === target.name))
    return [
      'Kept: items of the endpoint in the tables, most of which expire, its signing secret, and its files on the volume.',
      'A new endpoint with the same id uses them (docs/guides/remove.md).',
    ];
  if (target.of !== 'deployment' || kept.length === 0) return [];
  const storage = stackNameOf(deployment, 'Storage');
  const isStorageKept = !target.withStorage && stacks.some(({ stack }) => stack === 'Storage');
  const inStorage = isStorageKept ? kept.filter(({ isOutside }) => !isOutside) : [];
  const outside = kept.filter((its) => !inStorage.includes(its));
  const charged = withCommands
    ? 'Kept, and charged until you delete it with these commands:'
    : 'Kept, and charged until you delete it (the commands are printed at the end):';
  return [
    ...(inStorage.length > 0
      ? [
          `Kept in the stack ${storage}, which --with-storage ${deployment} deletes without its data:`,
          ...inStorage.flatMap((its) => linesOf(its, false)),
        ]
      : []),
    ...(outside.length > 0 ? [charged, ...outside.flatMap((its) => linesOf(its, withCommands))] : []),
  ];
}

/** Returns the plan as the user reads it before the removal. */
export function planText(facts: Facts, { steps, warnings }: Plan, target: Target): string[] {
  const { deployment, account, region } = facts;
  return [
    `Deployment ${deployment} in account ${account}, Region ${region}`,
    '',
    ...steps.map((step, at) => `${at + 1}. ${textOf(step)}`),
    ...warnings.map((warning) => `Warning: ${warning}`),
    '',
    ...keptText(facts, target, false),
  ];
}

/** Returns why there is nothing to remove, with the names that exist. */
export function nothingText({ stacks, pools, deployment }: Facts, target: Target): string {
  if (target.of === 'deployment') return `No stack of the deployment ${deployment} is left to remove.`;
  const endpoints = stacks.map(({ stack }) => endpointOfStack(stack)).filter((id) => id !== undefined);
  const names = target.of === 'endpoint' ? endpoints : pools.map(({ pool }) => pool);
  return `The ${target.of} ${target.name} is not deployed in ${deployment}. Deployed: ${names.join(', ') || 'none'}.`;
}

const optionsOf = (context: Context) =>
  Object.entries(context)
    .map(([name, value]) => ` -c ${name}=${value}`)
    .join('');

/** Returns what the user has left to do after the removal. */
export function afterText(target: Target, { deployment, domain }: ChosenDeployment, context: Context): string[] {
  const isDeclared = (file: string) => existsSync(join(declarationsFolder(), file));
  if (target.of === 'endpoint') {
    const file = `endpoints/${target.name}.yaml`;
    return isDeclared(file) ? [`Delete ${file}, or the next deployment creates the endpoint again.`] : [];
  }
  if (target.of === 'pool') {
    const file = `capacity/${target.name}.yaml`;
    const first = isDeclared(file) ? [`  rm ${file}`] : [];
    return [
      'The pool costs nothing without instances. Remove it from the stack Fleet:',
      ...first,
      `  npx gpu-endpoints deploy Fleet${optionsOf(context)}`,
    ];
  }
  return [
    ...(domain === undefined ? [] : [`Delete the DNS record of ${domain}.`]),
    'Secrets and registry logins stay, also without the deployment:',
    `  npx gpu-endpoints secrets ls --deployment ${deployment}`,
    `  npx gpu-endpoints registry ls --deployment ${deployment}`,
    'Images and files that deployments uploaded stay in the bucket and the repository of the stack CDKToolkit.',
  ];
}
