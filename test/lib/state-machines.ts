import type { Template } from 'aws-cdk-lib/assertions';

interface State {
  readonly Type: string;
  readonly Retry?: readonly object[];
  readonly Catch?: readonly object[];
}

interface SynthesizedMachine {
  readonly type: string;
  /** The deployed definition, with `x` instead of each reference. */
  readonly definition: {
    readonly StartAt: string;
    readonly States: Readonly<Record<string, State | undefined>>;
    readonly TimeoutSeconds: number;
  };
}

/** Returns the only state machine whose logical id begins with `name`. */
export function machineOf(template: Template, name: string): SynthesizedMachine {
  const machines = Object.entries(template.findResources('AWS::StepFunctions::StateMachine'));
  const found = machines.filter(([logicalId]) => logicalId.startsWith(name));
  const [machine] = found;
  if (!machine || found.length > 1)
    throw new Error(`${name} must match exactly one state machine of ${machines.map(([id]) => id)}.`);
  const { StateMachineType, DefinitionString } = machine[1].Properties;
  const parts: unknown[] = DefinitionString['Fn::Join'][1];
  const text = parts.map((part) => (typeof part === 'string' ? part : 'x')).join('');
  return { type: StateMachineType, definition: JSON.parse(text) };
}
