/** Tags of every resource that AWS can tag: cost reports split the bill by them, and worker roles are bounded by one. */
import { type App, Tags } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { deploymentOf } from './deployment-name.ts';

/** The deployment that a resource belongs to. Stays as it is: a cost allocation tag is activated by its name. */
export const DEPLOYMENT_TAG = 'gpu-endpoints:deployment';

/** The endpoint that a resource, or a task of its service, belongs to: task ids have no pattern that a policy could name. */
export const ENDPOINT_TAG = 'gpu-endpoints:endpoint';

export const tagDeployment = (app: App): void => Tags.of(app).add(DEPLOYMENT_TAG, deploymentOf(app));

/** @param endpoint its id */
export const tagEndpoint = (scope: IConstruct, endpoint: string): void => Tags.of(scope).add(ENDPOINT_TAG, endpoint);
