// `npm start`: builds the workspace when it is stale, then becomes the server.
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { buildWorkspace } from './build.ts'

// Half of a start is compiling what did not change since the last one.
enableCompileCache(join(import.meta.dirname, '../.cache/compile'))

if (!existsSync(join(import.meta.dirname, '../dist/web/index.html'))) console.log('Building the workspace, this once …')
try {
  await buildWorkspace()
} catch (problem) {
  console.error(problem instanceof Error ? problem.message : problem)
  process.exit(1)
}
await import('../server/main.ts')
