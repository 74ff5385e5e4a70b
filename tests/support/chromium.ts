import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { unpackOnce } from './unpacked.ts'

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable']

/** Flags that every Chromium of ours starts with: WebGL 2 in software, as root too, and no word to the outside. */
export const chromiumArgs: string[] = [
  '--no-sandbox',
  // Without a graphics card, pages put together by a software GPU cost half of the processor; maps still get their WebGL 2.
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
 * The path of a Chromium to drive: $CHROMIUM, else an installed one, else the one inside the package @sparticuz/chromium,
 * unpacked once for this user (210 MB, about 3 seconds).
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
  // A bare machine may lack fonts and libraries: the package has both. Browsers inherit these variables from us.
  if (!(await hasFonts())) process.env.FONTCONFIG_PATH ??= join(folder, 'fonts')
  if (await lacksLibraries(path)) {
    process.env.LD_LIBRARY_PATH = [join(folder, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  }
  return path
}

/** The package unpacks into os.tmpdir() under fixed names, which two users or two runs at once would fight over. */
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
