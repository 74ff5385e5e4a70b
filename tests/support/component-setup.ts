import { buildWorkspace } from '../../scripts/build.ts'

/** Once for a run of component tests: the workspace is built. */
export default async function setup(): Promise<void> {
  await buildWorkspace()
}
