import { appendFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'

// Set up for each file of tests where EXECUTED names a file: adds a line with the product's functions that it calls.
const root = resolve(import.meta.dirname, '../../..')
const holder = globalThis as { executed?: Session }
if (!holder.executed) {
  holder.executed = new Session()
  holder.executed.connect()
  await holder.executed.post('Profiler.enable')
  await holder.executed.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
}
const session = holder.executed
// What ran since the file before ended is not this file's.
await session.post('Profiler.takePreciseCoverage')

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const functions = result.flatMap(({ url, functions }) => {
    const file = relative(root, url.startsWith('file:') ? fileURLToPath(url) : url)
    if (!/^(server|contract|src)\//.test(file)) return []
    return functions
      .filter(({ functionName, ranges }) => functionName && ranges[0]!.count > 0)
      .map((one) => `${file}#${one.functionName}`)
  })
  const test = relative(root, expect.getState().testPath!)
  appendFileSync(process.env.EXECUTED!, `${JSON.stringify({ test, functions })}\n`)
})
