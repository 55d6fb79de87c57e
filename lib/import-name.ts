import { Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** The name under which other stacks import a value of the construct's stack; findings about their policies show it. */
export function importName(construct: IConstruct, value: string): string {
  const stack = Stack.of(construct);
  const imported = stack.resolve(stack.exportValue(value)) as { readonly 'Fn::ImportValue': string };
  return imported['Fn::ImportValue'];
}
