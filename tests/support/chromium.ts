import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { unpackOnce } from './unpacked.ts'

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable']

/** Flags for every Chromium: software WebGL 2, running as root, and no outside connections. */
export const chromiumArgs: string[] = [
  '--no-sandbox',
  // Without a GPU, software compositing costs half the processor; maps still get WebGL 2.
  '--disable-gpu-compositing',
  '--enable-unsafe-swiftshader',
  '--use-angle=swiftshader',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
]

/**
 * Returns the path of a Chromium: $CHROMIUM, an installed one, or the one from @sparticuz/chromium.
 * The package is unpacked once per user (210 MB, about 3 s).
 */
export async function chromiumPath(): Promise<string> {
  const wanted = process.env.CHROMIUM
  if (wanted) {
    if (canRun(wanted)) return wanted
    throw new Error(`CHROMIUM names ${wanted}, which is not a program that can be run here.`)
  }
  return INSTALLED.find(canRun) ?? (await packagedChromium())
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function packagedChromium(): Promise<string> {
  const home = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')))
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { version: string }
  const folder = await unpackOnce(`chromium-${version}`, (to) => unpack(home, to))
  const path = join(folder, 'chromium')
  // A bare machine may lack fonts and libraries; the package has both. Browsers inherit these variables.
  if (!(await hasFonts())) process.env.FONTCONFIG_PATH ??= join(folder, 'fonts')
  if (await lacksLibraries(path)) {
    process.env.LD_LIBRARY_PATH = [join(folder, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  }
  return path
}

/** Unpacks to a private folder, as the package's fixed names in os.tmpdir() clash between users and runs. */
async function unpack(home: string, folder: string): Promise<void> {
  const { default: packaged, inflate } = await import('@sparticuz/chromium')
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    if (tmpdir() !== folder) throw new Error(`The temporary folder can't be set to ${folder}.`)
    await packaged.executablePath()
    await inflate(join(home, 'bin/al2023.tar.br'))
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}

async function hasFonts(): Promise<boolean> {
  return (await readdir('/usr/share/fonts', { recursive: true }).catch(() => [])).some((name) => /\.(ttf|otf|pfb)$/.test(name))
}

async function lacksLibraries(program: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ldd', [program]).catch(() => ({ stdout: '' }))
  return stdout.includes('not found')
}
