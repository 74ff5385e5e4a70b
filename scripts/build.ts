import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compressBelow } from './compress.ts'
import { helpIfAsked } from './help.ts'

const root = resolve(import.meta.dirname, '..')
const built = join(root, 'dist/web')
const stamp = join(root, 'dist/web.sources')
const vite = join(root, 'node_modules/vite/bin/vite.js')

/** Everything the built workspace depends on. */
const SOURCES = [
  ...[
    'src',
    'contract',
    'public',
    'index.html',
    'partner.html',
    'api-docs.html',
    'vite.config.ts',
    'vite.partner.config.ts',
    'vite.api-docs.config.ts',
    'tailwind.config.ts',
    'tsconfig.json',
  ],
  ...[
    'scripts/standalone-page.ts',
    'scripts/browsers.ts',
    'scripts/virtual-calls.ts',
    'scripts/own-sheets.ts',
    'scripts/weights.ts',
    'scripts/compress.ts',
    'package-lock.json',
  ],
]

/** Builds the workspace into dist/web if its sources' content has changed; returns whether it did. */
export async function buildWorkspace(): Promise<boolean> {
  const sources = hashOf(SOURCES)
  if (existsSync(join(built, 'index.html')) && read(stamp) === sources) return false
  if (!existsSync(vite))
    throw new Error('The workspace must be built, and vite is not installed: run `npm ci` (with development packages).')
  // Concurrent starts build side by side, and swap in whole folders.
  const fresh = join(root, `dist/.web-${process.pid}`)
  mkdirSync(join(root, 'dist'), { recursive: true })
  try {
    await run([vite, 'build', '--logLevel', 'warn', '--outDir', fresh])
    for (const config of ['vite.partner.config.ts', 'vite.api-docs.config.ts'])
      await run([vite, 'build', '--logLevel', 'warn', '--outDir', fresh, '--config', config])
    await compressBelow(fresh)
    const old = join(root, `dist/.old-${process.pid}`)
    if (existsSync(built)) renameSync(built, old)
    renameSync(fresh, built)
    writeFileSync(stamp, sources)
    rmSync(old, { recursive: true, force: true })
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  return true
}

function hashOf(paths: string[]): string {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesBelow).sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

function filesBelow(path: string): string[] {
  const full = join(root, path)
  if (!existsSync(full)) return []
  if (!statSync(full).isDirectory()) return [path]
  const entries = readdirSync(full, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
}

function read(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function run(args: string[]): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
    child.once('error', failed)
    child.once('exit', (code) => (code === 0 ? done() : failed(new Error('The workspace could not be built.'))))
  })
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  helpIfAsked(
    'npm run build: builds the workspace, the page of partners and the API’s documentation into dist/web, if they are stale.',
  )
  console.log((await buildWorkspace()) ? 'Built dist/web.' : 'dist/web is up to date.')
}
