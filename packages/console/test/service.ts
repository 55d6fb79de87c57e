/** The running service, for tests of pages. Only this file imports from outside of the package. */
export { copyAssembly, sharedAssembly } from '../../../test/acceptance/assembly.ts';
export {
  call,
  eventually,
  jobIn,
  type LocalService,
  newStateDir,
  type Outputs,
  readStatus,
  startService,
  stopService,
  submit,
} from '../../../test/acceptance/local-service.ts';
export { changeEndpoint } from '../../../test/acceptance/moving-fleet.ts';
