import { CustomResource } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { Category } from '../../core/endpoints/endpoint.ts';
import type { CarriedSettings } from '../../core/templates/associate.ts';
import type { TemplateSettings } from '../../core/templates/template.ts';
import { ServiceFunction, serviceTimeoutOf } from '../constructs/function.ts';
import type { TemplatesTable } from './tables.ts';

export interface DeclaredTemplatesProps {
  readonly templates: TemplatesTable;
}

/** The template of an endpoint: an existing template, by its id or name, or one that the endpoint's file contains. */
export type EndpointTemplate =
  | { readonly named: string; readonly pinTemplate?: number | undefined }
  | {
      readonly carried: CarriedSettings;
      /** Changes with each change of the file, so that each deployment of a changed file takes back drift. */
      readonly declarationHash: string;
    };

export interface EndpointTemplateProps {
  /** Id of the endpoint. */
  readonly endpoint: string;
  /** @default - the owner of the platform */
  readonly owner?: string | undefined;
  readonly category: Category;
  readonly largestDiskInGb: number;
  /** Addresses of the repositories of Amazon ECR from which its workers can pull. */
  readonly imageRepositories: readonly string[];
  readonly template: EndpointTemplate;
}

/**
 * Maintains the templates that are declared in Git while their stacks exist, and the association of endpoints with
 * templates.
 */
export class DeclaredTemplates extends Construct {
  readonly #declare: ServiceFunction;
  readonly #associate: ServiceFunction;

  constructor(scope: Construct, id: string, { templates }: DeclaredTemplatesProps) {
    super(scope, id);
    this.#declare = new ServiceFunction(this, 'Declare', {
      entry: 'lambda/templates/declare.ts',
      description:
        'Custom resource: creates or updates an official template from its file, and deletes or withdraws it with the file.',
    });
    this.#associate = new ServiceFunction(this, 'Use', {
      entry: 'lambda/templates/associate.ts',
      description:
        "Custom resource: associates an endpoint with its template, and stores a template that the endpoint's file contains.",
    });
    templates.grantDeclare(this.#declare);
    templates.grantAssociate(this.#associate);
  }

  /** ARNs of the functions that CloudFormation calls for custom resources in the stacks of endpoints and templates. */
  get serviceTokens(): string[] {
    return [this.#declare, this.#associate].map(({ functionArn }) => functionArn);
  }

  /** Declares an official template: every endpoint may use the template, and only its file can change it. */
  declare(scope: Construct, id: string, name: string, settings: Omit<TemplateSettings, 'isPublic'>): void {
    ask(this.#declare, scope, id, 'Custom::Template', { id: name, settings });
  }

  /**
   * Associates an endpoint with its template. The attribute `template` is the id of the template, and `takenBack` names
   * the changes of clients that the last deployment of the file has overwritten.
   */
  associate(scope: Construct, id: string, { template, ...endpoint }: EndpointTemplateProps): CustomResource {
    return ask(this.#associate, scope, id, 'Custom::EndpointTemplate', { ...endpoint, ...template });
  }
}

function ask(its: ServiceFunction, scope: Construct, id: string, resourceType: string, properties: object) {
  return new CustomResource(scope, id, {
    resourceType,
    serviceToken: its.functionArn,
    serviceTimeout: serviceTimeoutOf(its),
    properties: { ...properties },
  });
}
