/** Written by `npm run generate` from the schema of the YAML files. */

/**
 * The fields of a file in `endpoints/`.
 */
export interface EndpointFields {
  /**
   * Whether the endpoint is deployed; an environment can override this, as any field.
   * @default true
   */
  readonly deploy?: boolean;
  /**
   * Owner whose private templates the endpoint can use; the template that the file contains belongs to this owner.
   * @default "platform"
   */
  readonly owner?: string;
  /**
   * Template that the workers run.
   * With `template`, the file cannot have `image`, `build`, `env`, `containerDiskInGb`, `volumeInGb`,
   * `volumeMountPath`, `dockerEntrypoint`, `dockerStartCmd`, `ports`, `containerRegistryAuthId`, `readme`.
   * @default - the fields from `image` to `readme` are the template
   */
  readonly template?: string;
  /**
   * Version of the named template that the workers run.
   * Allowed: 1 to 1000000.
   * Only with `template`. The template must have this version at the deployment, or the endpoint must already pin
   * it.
   * @default - the newest version
   */
  readonly pinTemplate?: number;
  /**
   * Container image of the workers; with `build`, the name under which the built image is displayed.
   * @default - required, unless `template` is set
   */
  readonly image?: string;
  /**
   * Folder with the Dockerfile from which the deployment builds the image.
   * @default - the image is pulled from its registry
   */
  readonly build?: string;
  /**
   * Environment variables of the workers' container; `{{secrets:NAME}}` is the value of a secret.
   * Each name must be a name of at most 255 letters, digits and underscores that does not start with a digit.
   * Variables that the service sets, and variables that load code into programs, are refused.
   * @default {}
   */
  readonly env?: {
    [k: string]: string;
  };
  /**
   * Disk of a worker's container, which is empty at the start and deleted with the worker.
   * Allowed: 1 to 16000 GB.
   * At most 200 on Fargate. On a pool, at most the worker's share of the pool's `diskInGb`.
   * @default 50
   */
  readonly containerDiskInGb?: number;
  /**
   * Volume for files that outlive workers; 0 for no volume.
   * Allowed: 0 to 16000 GB.
   * @default 20
   */
  readonly volumeInGb?: number;
  /**
   * Path of the volume in the container.
   * Folders that the container needs, such as `/usr`, are refused.
   * @default "/workspace"
   */
  readonly volumeMountPath?: string;
  /**
   * Replaces the image's `ENTRYPOINT`; the empty list keeps it.
   * @default []
   */
  readonly dockerEntrypoint?: readonly string[];
  /**
   * Replaces the image's `CMD`; the empty list keeps it.
   * @default []
   */
  readonly dockerStartCmd?: readonly string[];
  /**
   * Ports on which the container listens, such as `8080/http`.
   * Each port once, with the protocol http or tcp. Not 18271, which is the port of the agent.
   * @default []
   */
  readonly ports?: readonly string[];
  /**
   * Registry login of `npx gpu-endpoints registry`, with which ECS pulls the image.
   * @default - no login
   */
  readonly containerRegistryAuthId?: string;
  /**
   * Description of the template in Markdown, which the console shows.
   * @default ""
   */
  readonly readme?: string;
  /**
   * How the container gets jobs: with `worker` it requests them from the agent, with `http` it is a server that
   * the agent calls.
   * @default "worker"
   */
  readonly protocol?: 'worker' | 'http';
  /**
   * Settings of the container's HTTP server.
   * Only with `protocol: http`.
   * @default - the defaults of its fields
   */
  readonly http?: {
    /**
     * Port on which the server listens; the container gets it as the variable `PORT`.
     * Allowed: 1 to 65535.
     * Not 18271, which is the port of the agent.
     * @default 8000
     */
    readonly port?: number;
    /**
     * Path to which the agent posts the inputs of jobs.
     * @default "/"
     */
    readonly path?: string;
    /**
     * Path that returns 200 while the server can accept jobs.
     * @default "/health"
     */
    readonly healthPath?: string;
    /**
     * Maximum time from the container's start until the first 200 of `http.healthPath`.
     * Allowed: 1000 to 3600000 ms.
     * @default 300000
     */
    readonly startTimeout?: number;
  };
  /**
   * Machines on which the workers run: Fargate or the instances of a pool.
   * Allowed: `cpu` for Fargate, or the name of a file in `capacity/`.
   * @default "cpu"
   */
  readonly capacity?: string;
  /**
   * Number of workers that run even without jobs.
   * Allowed: 0 to 100.
   * At most `maxWorkers`.
   * @default 0
   */
  readonly minWorkers?: number;
  /**
   * Maximum number of workers that run at the same time.
   * Allowed: 1 to 100.
   * At least `minWorkers`.
   * @default 3
   */
  readonly maxWorkers?: number;
  /**
   * Maximum number of jobs that a worker runs at the same time.
   * Allowed: 1 to 100.
   * @default - a Python worker decides; a Node worker or an HTTP server runs 1
   */
  readonly concurrency?: number;
  /**
   * Time for which a worker without a job continues to run.
   * Allowed: 5000 to 3600000 ms.
   * @default 60000
   */
  readonly idleTimeout?: number;
  /**
   * Maximum run time of a job whose `policy` has no `executionTimeout`.
   * Allowed: 5001 to 604800000 ms.
   * @default 600000
   */
  readonly executionTimeout?: number;
  /**
   * Cost of workers in a day (UTC), in US dollars, from which no worker starts and none takes a job.
   * Allowed: 0.01 to 1000000.
   * Not with `spot` and other capacity whose price is unknown, and not with `historyDays: 0`.
   * @default - no budget
   */
  readonly maxDollarsPerDay?: number;
  /**
   * With `true`, `/stream` answers all clients as RunPod's SDKs expect: `{status, stream}`, with each chunk sent
   * once.
   * @default false
   */
  readonly streamEnvelope?: boolean;
  /**
   * Thresholds of the alarms of the endpoint.
   * @default - those of the setting `endpointAlarms`
   */
  readonly alarms?: {
    /**
     * Age of the oldest waiting job above which the alarm goes off; 0 for no alarm.
     * Allowed: 0, or a whole number of milliseconds from 60000 to 604800000.
     * @default 900000
     */
    readonly oldestWaiting?: number;
    /**
     * Percentage of failed jobs above which the alarm goes off; 0 for no alarm.
     * Allowed: a whole number from 0 to 99.
     * @default 20
     */
    readonly failedPercent?: number;
    /**
     * Time for which workers have been missing when the alarm goes off; 0 for no alarm.
     * Allowed: 0, or a whole number of milliseconds from 180000 to 86400000.
     * @default 900000
     */
    readonly noWorker?: number;
    /**
     * Time for which the last release has been rolled back when the alarm goes off; 0 for no alarm.
     * Allowed: 0, or a whole number of milliseconds from 60000 to 86400000.
     * @default 0
     */
    readonly rolledBack?: number;
    /**
     * Percentage of failed webhooks of the endpoint above which the alarm goes off; 0 for no alarm.
     * Allowed: a whole number from 0 to 99.
     * @default 0
     */
    readonly webhooksPercent?: number;
    /**
     * Percentage of `volumeInGb` in use above which the alarm goes off; 0 for no alarm.
     * Allowed: a whole number from 0 to 99.
     * @default 0
     */
    readonly volumePercent?: number;
    /**
     * Percentage of `maxDollarsPerDay` that is spent above which the alarm goes off; 0 for no alarm.
     * Allowed: a whole number from 0 to 99.
     * Only endpoints with `maxDollarsPerDay` have this alarm.
     * @default 0
     */
    readonly budgetPercent?: number;
  };
  /**
   * Inputs by name, which the console's playground offers.
   * At most 20 inputs, with names of at most 64 characters, and at most 16384 bytes in total as a JSON array of
   * objects with `name` and `input`.
   * @default - none
   */
  readonly examples?: {
    [k: string]: {
      [k: string]: unknown;
    };
  };
  /**
   * Second path of the volume in the container, for images that expect the volume there.
   * Not with `volumeInGb: 0`. Folders that the container needs, such as `/usr`, are refused.
   * @default - only the template's `volumeMountPath`
   */
  readonly volumeAlsoAt?: string;
  /**
   * CPU units of a worker; 1024 are one vCPU.
   * Allowed: with `capacity: cpu`: 256, 512, 1024, 2048, 4096, 8192, 16384; on an NVIDIA pool: 128 to the CPU
   * units of the smallest instance type.
   * Must be omitted on an AMD pool.
   * @default - 1024 with `capacity: cpu`; on an NVIDIA pool, the share of the smallest instance type that belongs
   * to the worker's GPUs; on an AMD pool, the whole instance
   */
  readonly cpu?: number;
  /**
   * Memory of a worker in MiB; ECS kills a worker that uses more.
   * Allowed: with `capacity: cpu`: see Sizes of workers on Fargate; on an NVIDIA pool: 512 to 90 % of the smallest
   * instance type.
   * Must be omitted on an AMD pool.
   * @default - 2048 with `capacity: cpu`; on an NVIDIA pool, the share of 90 % of the smallest instance type that
   * belongs to the worker's GPUs; on an AMD pool, 90 % of the instance
   */
  readonly memory?: number;
  /**
   * Number of whole GPUs of a worker.
   * Allowed: 1 to 8.
   * On an NVIDIA pool, at most the GPUs of the smallest instance type. On an AMD pool, only the GPUs of the
   * instance. Must be omitted with `capacity: cpu`.
   * @default - 1 on an NVIDIA pool; all GPUs of the instance on an AMD pool
   */
  readonly gpus?: number;
  /**
   * Size of `/dev/shm` in MiB, a part of `memory`, through which processes of a worker exchange data.
   * Allowed: 64 to `memory`.
   * Must be omitted with `capacity: cpu`.
   * @default - half of `memory`
   */
  readonly sharedMemorySize?: number;
  /**
   * Whether workers run on Spot capacity, which costs less and which AWS can reclaim after a warning of two
   * minutes.
   * On a pool, only the `spot` of its file.
   * @default - `false` with `capacity: cpu`; on a pool, the `spot` of its file
   */
  readonly spot?: boolean;
}
