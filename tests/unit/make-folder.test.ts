import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../server/core/makeFolder.ts'

function scratch(): string {
  const made = mkdtempSync(join(tmpdir(), 'fieldwork-folder-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

test('makes a folder and those above it, and leaves one that is there', () => {
  const at = join(scratch(), 'a/b/c')
  makeFolder(at)
  writeFileSync(join(at, 'file'), '')
  makeFolder(at)
  expect(existsSync(join(at, 'file'))).toBe(true)
})

test('fails where a file or a link to nothing is in the way', () => {
  const at = scratch()
  writeFileSync(join(at, 'file'), '')
  symlinkSync('/no/such/disk', join(at, 'link'))
  expect(() => makeFolder(join(at, 'file'))).toThrow(/EEXIST/)
  expect(() => makeFolder(join(at, 'file/below'))).toThrow(/EEXIST|ENOTDIR/)
  expect(() => makeFolder(join(at, 'link/below'))).toThrow(/EEXIST/)
})

test.runIf(process.platform === 'linux')('fails where the system has no such folder, as at mount points', () => {
  expect(() => makeFolder('/proc/fieldwork/data')).toThrow(/ENOENT/)
})
