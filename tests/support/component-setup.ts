import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWorkspace } from '../../scripts/build.ts'
import { makeTemplate } from './portal.ts'
import { openScratch } from './scratch.ts'

/** Builds the workspace and the marketplace that every test copies, once per run of component tests. */
export default async function setup(): Promise<() => void> {
  await buildWorkspace()
  const folder = openScratch('fieldwork-component')
  const template = join(folder, 'template.db')
  process.env.COMPONENT_TEMPLATE = template
  await makeTemplate(template)
  return () => rmSync(folder, { recursive: true, force: true })
}
