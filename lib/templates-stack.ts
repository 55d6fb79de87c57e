import { type CustomResource, Stack, type StackProps } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { nameKeyOf } from '../core/templates/name.ts';
import { defaults } from '../core/templates/settings.ts';
import { userImage } from './images.ts';
import type { PlatformStack } from './platform-stack.ts';
import type { TemplateDeclaration } from './template-declaration.ts';
import { carriedSettings } from './worker-settings.ts';

export interface TemplatesStackProps extends StackProps {
  readonly declarations: readonly TemplateDeclaration[];
  readonly platform: PlatformStack;
}

/** The official templates. It knows no endpoint; one that names a template imports its id, so that it is not deleted. */
export class TemplatesStack extends Stack {
  readonly #declarations: readonly TemplateDeclaration[];
  readonly #templates: ReadonlyMap<string, CustomResource>;

  constructor(scope: Construct, id: string, { declarations, platform, ...props }: TemplatesStackProps) {
    super(scope, id, props);
    this.#declarations = declarations;
    this.#templates = new Map(
      declarations.map((declaration) => [declaration.id, this.#declare(platform, declaration)]),
    );
    // They are exported without an endpoint too, so that the last one is like any other.
    for (const template of this.#templates.values()) this.exportValue(template.ref);
  }

  /** The id of the template of that id or name, for other stacks; nothing if it is not declared here. */
  idOf(named: string): string | undefined {
    const isCalled = ({ id, name }: TemplateDeclaration) => id === named || nameKeyOf(name) === nameKeyOf(named);
    const found = this.#declarations.find(({ id }) => id === named) ?? this.#declarations.find(isCalled);
    return found && this.#templates.get(found.id)?.ref;
  }

  #declare({ templates }: PlatformStack, declaration: TemplateDeclaration): CustomResource {
    const { id, name, imageName, category = defaults.category, isServerless = true, ...fields } = declaration;
    const scope = new Construct(this, id);
    const image = userImage(scope, { image: imageName, build: fields.build });
    const settings = { ...carriedSettings(fields, image), name, category, isServerless };
    return templates.declare(scope, 'Template', id, settings);
  }
}
