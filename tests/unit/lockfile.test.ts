import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

interface Locked {
  integrity?: string
  link?: true
  optional?: true
  dev?: true
  os?: string[]
  cpu?: string[]
}
const lock = join(resolve(import.meta.dirname, '../..'), 'package-lock.json')
const packages = Object.entries((JSON.parse(readFileSync(lock, 'utf8')) as { packages: Record<string, Locked> }).packages).filter(
  ([path, locked]) => path.includes('node_modules/') && !locked.link,
)

/**
 * TABLE  packages for other platforms that this registry doesn't have, so npm installs them there unverified.
 * `npm install --package-lock-only` with the public registry adds their sums; the test then asks to remove the row.
 */
const UNKNOWN = [
  ...[
    'android-arm64',
    'android-x64',
    'darwin-arm64',
    'darwin-x64',
    'linux-arm64-musl',
    'linux-x64-musl',
    'win32-arm64',
    'win32-x64',
  ].map((platform) => `node_modules/@biomejs/cli-${platform}`),
  ...[
    'android-arm64',
    'darwin-arm64',
    'darwin-x64',
    'freebsd-x64',
    'linux-arm-gnueabihf',
    'wasm32-wasi',
    'win32-arm64-msvc',
    'win32-x64-msvc',
  ].map((platform) => `node_modules/@tailwindcss/oxide-${platform}`),
]

test('every package in the lock file has its checksum, except those this registry lacks', () => {
  const without = packages.filter(([, locked]) => !locked.integrity).map(([path]) => path)
  expect(without.sort()).toEqual(UNKNOWN.sort())
})

test('a package without a checksum never runs in production, nor on this platform', () => {
  for (const [path, locked] of packages) {
    if (locked.integrity) continue
    expect([path, locked.optional, locked.dev]).toEqual([path, true, true])
  }
})

test('checksums are strong', () => {
  const weak = packages.filter(([, { integrity }]) => integrity && !/^sha(512|384|256)-/.test(integrity)).map(([path]) => path)
  expect(weak).toEqual([])
})
