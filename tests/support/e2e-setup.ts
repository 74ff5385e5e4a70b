import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWorkspace } from '../../scripts/build.ts'
import { openScratch } from './scratch.ts'
import { startServer } from './server.ts'

/** Runs once per browser test run: builds the workspace and fills a demo marketplace that every worker copies. */
export default async function setup(): Promise<() => void> {
  await buildWorkspace()
  const folder = openScratch('fieldwork-e2e')
  process.env.E2E_FOLDER = folder
  try {
    const server = await startServer({ DATA_DIR: join(folder, 'template'), DEMO: 'demo' }, undefined, 300)
    await server.stop()
  } catch (problem) {
    rmSync(folder, { recursive: true, force: true })
    throw problem
  }
  return () => rmSync(folder, { recursive: true, force: true })
}
