/** The volume of one endpoint, which outlives the workers, and an alarm when the volume exceeds its size. */
import { Duration, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { TaskDefinition } from 'aws-cdk-lib/aws-ecs';
import { CfnAccessPoint } from 'aws-cdk-lib/aws-efs';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { HOUR, VOLUME_MEASURE } from '../../core/limits.ts';
import { VOLUME } from '../../core/releases/volume.ts';
import { volumeMetrics } from '../../core/workers/volume-metrics.ts';
import { explain } from '../constructs/reasons.ts';
import { alarmText } from '../constructs/runbook.ts';
import { deploymentOf } from '../settings/settings.ts';

/** The id of the first ordinary user on most systems. This user owns all files, whichever user a container runs as. */
const OWNER = '1000';

export interface WorkerVolumeProps {
  /** Id of the file system of all volumes. */
  readonly fileSystem: string;
  /** Id of the endpoint. */
  readonly endpoint: string;
  /** Task definition that gets the volume. Releases add the mount point of the template to a container. */
  readonly task: TaskDefinition;
}

/**
 * A folder of the file system that only the tasks of one endpoint may mount. EFS cannot limit its size, so agents
 * measure it. The folder remains when the endpoint is removed.
 */
export class WorkerVolume extends Construct {
  constructor(scope: Construct, id: string, { fileSystem, endpoint, task }: WorkerVolumeProps) {
    super(scope, id);
    const accessPoint = new CfnAccessPoint(this, 'AccessPoint', {
      fileSystemId: fileSystem,
      rootDirectory: {
        path: `/endpoints/${endpoint}`,
        creationInfo: { ownerUid: OWNER, ownerGid: OWNER, permissions: '0770' },
      },
      posixUser: { uid: OWNER, gid: OWNER },
    });

    task.addVolume({
      name: VOLUME,
      efsVolumeConfiguration: {
        fileSystemId: fileSystem,
        transitEncryption: 'ENABLED',
        authorizationConfig: { accessPointId: accessPoint.attrAccessPointId, iam: 'ENABLED' },
      },
    });
    Grant.addToPrincipal({
      grantee: task.taskRole,
      actions: ['elasticfilesystem:ClientMount', 'elasticfilesystem:ClientWrite'],
      resourceArns: [
        Stack.of(this).formatArn({ service: 'elasticfilesystem', resource: 'file-system', resourceName: fileSystem }),
      ],
      conditions: { StringEquals: { 'elasticfilesystem:AccessPointArn': accessPoint.attrArn } },
    }).assertSuccess();

    const reason = 'Mounts the folder of its endpoint and writes to it. The access point admits it to no other folder.';
    explain(task.taskRole, 'elasticfilesystem', ['ClientMount', 'ClientWrite'], 'file system of volumes', reason);

    const { dimension, usedPercent } = volumeMetrics;
    new Alarm(this, 'Full', {
      alarmDescription: alarmText(`The volume of ${endpoint} exceeds the volumeInGb of its template.`, 'volume'),
      metric: new Metric({
        namespace: deploymentOf(this),
        metricName: usedPercent,
        dimensionsMap: { [dimension]: endpoint },
        statistic: Stats.MAXIMUM,
        period: Duration.hours(VOLUME_MEASURE.every / HOUR),
      }),
      threshold: 100,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      // Without workers, no agent measures the volume and no metric is published.
      treatMissingData: TreatMissingData.IGNORE,
    });
  }
}
