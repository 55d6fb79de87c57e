/**
 * Policies of AWS that a role may have here, with the reason why they allow nothing that is called on this machine. A
 * policy that is not here stops the start: nobody would know what it allows.
 */
export const awsManagedPolicies: Readonly<Record<string, string>> = {
  'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole': 'Logs are files.',
  'arn:aws:iam::aws:policy/service-role/AmazonECSTaskExecutionRolePolicy': 'Images are not pulled, and logs are files.',
  'arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryReadOnly': 'Images are not pulled.',
  'arn:aws:iam::aws:policy/AmazonElasticFileSystemClientReadWriteAccess': 'File systems are folders.',
};
