import { buildWorkspace } from '../../scripts/build.ts'

/** Builds the workspace once per run of component tests. */
export default async function setup(): Promise<void> {
  await buildWorkspace()
}
