import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { managementRoutes, stages } from '../../core/operations/routes.ts';
import { sharedBuckets } from '../../core/rates/throttle.ts';
import { Api } from '../api/api.ts';
import { ThrottleBucket, UsagePlans } from '../api/rate-limits.ts';
import { addWebAcl, webAclRateOf } from '../api/web-acl.ts';
import { ServiceFunction } from '../constructs/function.ts';
import { SharedValue } from '../constructs/shared-value.ts';
import { Management } from '../management/management.ts';
import type { PlatformStack } from './platform-stack.ts';
import { SavedQueries } from './saved-queries.ts';
import type { StorageStack } from './storage-stack.ts';

export interface ManagementStackProps extends StackProps {
  readonly storage: StorageStack;
  readonly platform: PlatformStack;
  /**
   * Origin allowed by CORS.
   * @default - none
   */
  readonly corsOrigin: string | undefined;
}

/**
 * The management interface: its routes, functions and limits, at the address that the platform stack created, and the
 * web ACL of both interfaces and of the ingress. The platform stack does not depend on this stack (docs/adr/0030).
 */
export class ManagementStack extends Stack {
  /** Id of the usage plan of the management interface. */
  readonly usagePlan: SharedValue;

  constructor(scope: Construct, id: string, { storage, platform, corsOrigin, ...props }: ManagementStackProps) {
    super(scope, id, props);
    const management = new Management(this, 'Management', storage);
    const api = new Api(this, 'ManagementApi', {
      address: platform.managementAddress.in(this),
      stage: stages.management,
      routes: managementRoutes,
      functions: management.functions,
      openapi: new ServiceFunction(this, 'OpenApiManagement', {
        entry: 'lambda/openapi/management.ts',
        description: 'GET /openapi.json: describes the management interface.',
      }),
      corsOrigin,
    });
    new SavedQueries(this, 'SavedQueries', platform.logGroups.in(this));
    const rate = webAclRateOf(this);
    if (rate !== undefined)
      addWebAcl(this, {
        rate,
        resources: {
          Jobs: platform.jobAddress.stageArnIn(this, stages.jobs),
          Management: api.stage.stageArn,
          ...(platform.balancer && { Ingress: platform.balancer.in(this) }),
        },
        proof: platform.proof.in(this),
      });

    // Operations without an endpoint share a bucket.
    const { management: bucket } = sharedBuckets;
    const { keyId } = new ThrottleBucket(this, 'Bucket-management', { scope: platform.stackName, bucket });
    const plans = new UsagePlans(this, 'UsagePlans', {
      api,
      called: 'management interface',
      shared: [keyId, platform.unknownEndpointKey.in(this)],
      console: platform.consoleKey?.in(this),
      planKeys: platform.planKeys,
    });
    this.usagePlan = new SharedValue(this, 'UsagePlanId', plans.endpoints);
  }
}
