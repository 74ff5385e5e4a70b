// `npm start`: builds the workspace if it is stale, then runs the server.
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { SERVER_HELP } from '../server/serverHelp.ts'
import { buildWorkspace } from './build.ts'
import { endWithParent } from './endWithParent.ts'
import { helpIfAsked } from './help.ts'

helpIfAsked(SERVER_HELP)

if (process.env.npm_lifecycle_event) endWithParent()

// Compiling unchanged files is half of a start.
enableCompileCache(join(import.meta.dirname, '../.cache/compile'))

if (!existsSync(join(import.meta.dirname, '../dist/web/index.html')))
  console.log('Building the workspace (only on the first start) …')
try {
  await buildWorkspace()
} catch (problem) {
  console.error(problem instanceof Error ? problem.message : problem)
  process.exit(1)
}
await import('../server/main.ts')
