import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startServer } from '../support/server.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const isRoot = process.getuid?.() === 0
/** The usual uid of `nobody`. */
const SOMEBODY = 65_534

/** A data folder from an older release, readable by others: 755, with a file of 644. */
function wideFolder() {
  const home = mkdtempSync(join(tmpdir(), 'fieldwork-wide-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  chmodSync(home, 0o755)
  const folder = join(home, 'data')
  mkdirSync(folder, { mode: 0o755 })
  writeFileSync(join(folder, 'fieldwork.db'), '', { mode: 0o644 })
  chmodSync(folder, 0o755)
  return { folder, settings: { DATA_DIR: folder, DEMO: 'none' } }
}

describe('the data of a server', () => {
  test('is readable only by its account: folder 700, files 600, even if an older release left them open', async () => {
    const { folder, settings } = wideFolder()
    const server = await startServer(settings)
    await server.stop()
    expect(modeOf(folder)).toBe('700')
    const files = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile())
    expect(files.map((name) => [name, modeOf(join(folder, name))])).toEqual(files.map((name) => [name, '600']))
    expect(files).toContain('fieldwork.db')
    expect(files).toContain('signing.key')
    expect(modeOf(join(folder, 'files'))).toBe('700')
    expect(server.log()).not.toContain('other accounts')
  })

  test.runIf(isRoot)('can’t be read by another account of the machine', async () => {
    const { folder, settings } = wideFolder()
    const as = (command: string, path: string) => spawnSync(command, [path], { uid: SOMEBODY, gid: SOMEBODY }).status
    expect(as('ls', folder)).toBe(0)
    const server = await startServer(settings)
    onTestFinished(server.stop)
    expect(existsSync(join(folder, 'fieldwork.db'))).toBe(true)
    expect(as('ls', folder)).not.toBe(0)
    for (const name of readdirSync(folder)) expect([name, as('cat', join(folder, name))]).not.toEqual([name, 0])
  })
})
