import { Stack, type StackProps } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { nameKeyOf } from '../../core/templates/template.ts';
import { userImage } from '../constructs/images.ts';
import { type TemplateDeclaration, templateDefaults } from '../templates/declaration.ts';
import { assertPullable } from '../templates/image-repositories.ts';
import { carriedSettings } from '../templates/worker-settings.ts';
import type { PlatformStack } from './platform-stack.ts';

export interface TemplatesStackProps extends StackProps {
  readonly declarations: readonly TemplateDeclaration[];
  readonly platform: PlatformStack;
}

/**
 * The official templates. The stack does not depend on endpoints, and no other stack imports from it. If the file of
 * a template is deleted, the template is withdrawn and remains in the table for the endpoints that use it.
 */
export class TemplatesStack extends Stack {
  readonly #declarations: readonly TemplateDeclaration[];

  constructor(scope: Construct, id: string, { declarations, platform, ...props }: TemplatesStackProps) {
    super(scope, id, props);
    this.#declarations = declarations;
    for (const declaration of declarations) this.#declare(platform, declaration);
  }

  /** Returns the id of the template with this id or name, or undefined if no file declares it. */
  idOf(named: string): string | undefined {
    const isCalled = ({ id, name }: TemplateDeclaration) => id === named || nameKeyOf(name) === nameKeyOf(named);
    return (this.#declarations.find(({ id }) => id === named) ?? this.#declarations.find(isCalled))?.id;
  }

  #declare({ templates }: PlatformStack, declaration: TemplateDeclaration): void {
    const { id, name, imageName, ...declared } = declaration;
    const { category = templateDefaults.category, isServerless = templateDefaults.isServerless, ...fields } = declared;
    const scope = new Construct(this, id);
    const image = userImage(scope, { image: imageName, build: fields.build });
    assertPullable(this, `Template \`${id}\``, image);
    const settings = { ...carriedSettings(fields, image), name, category, isServerless };
    templates.declare(scope, 'Template', id, settings);
  }
}
