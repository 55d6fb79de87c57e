/** Mutants of emulated AWS services that would then allow more than AWS. */
import { type Mutant, mutant } from './mutant.ts';

export const emulatorMutants: readonly Mutant[] = [
  mutant('a secret is read without its permission')
    .remove(
      'packages/emulator/ecs/task-secrets.ts',
      "authorize(roleArn, secrets.authorization('GetSecretValue', input));",
    )
    .killedBy('packages/emulator/test/ecs/task-secrets.test.ts', 'its role is not allowed to read it'),
  mutant('codes are redeemed again')
    .replace('packages/emulator/cognito/grants.ts', '      codes.delete(code);\n      if (!grant', '      if (!grant')
    .killedBy('packages/emulator/test/cognito/cognito.test.ts', 'can be redeemed only one time'),
  mutant('an allowing policy of the role outranks its denying policy')
    .replace(
      'packages/emulator/iam/evaluate.ts',
      'if (ofCaller.some(denies)) return',
      'if (ofCaller.some(denies) && !allowing(ofCaller).some(isMet)) return',
    )
    .killedBy('packages/emulator/test/iam/iam.test.ts', 'an explicit deny takes precedence'),
  mutant('a policy of a resource that names the role passes the boundary')
    .replace(
      'packages/emulator/iam/evaluate.ts',
      'granted.filter(passesBoundary)',
      'granted.filter((statement) => ofResource.includes(statement))',
    )
    .killedBy('packages/emulator/test/iam/boundary.test.ts', 'that names the role is limited'),
];
