import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { helpIfAsked } from './help.ts'

const root = resolve(import.meta.dirname, '..')

/** Imports of a file's JavaScript, static and lazy; those of types are gone by then. */
const IMPORTS = /\b(?:from |import |import\()'([\w@./#-]+)'/g

/** The files that entries reach, with their JavaScript by path below the root. */
export function reachedFrom(entries: readonly string[]): Map<string, string> {
  const files = new Map<string, string>()
  const visit = (file: string) => {
    if (files.has(file) || !file.endsWith('.ts')) return
    const text = stripTypeScriptTypes(readFileSync(file, 'utf8'))
    files.set(file, text)
    for (const [, path] of text.matchAll(IMPORTS)) if (path!.startsWith('.')) visit(resolve(dirname(file), path!))
  }
  for (const entry of entries) visit(join(root, entry))
  return new Map([...files].map(([file, text]) => [relative(root, file), text]))
}

/** Packages that the files import. */
export const packagesOf = (files: ReadonlyMap<string, string>): Set<string> =>
  new Set(
    [...files.values()].flatMap((text) =>
      [...text.matchAll(IMPORTS)].flatMap(([, path]) =>
        /^(\.|node:)/.test(path!)
          ? []
          : path!
              .split('/')
              .slice(0, path!.startsWith('@') ? 2 : 1)
              .join('/'),
      ),
    ),
  )

/** Commands of the workspace, whose texts a review says; the command line looks for them in their folder. */
const commands = (): string[] =>
  readdirSync(join(root, 'src/commands'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?!areas\b)[^/\\]+[/\\][^/\\]+\.ts$/.test(path))
    .map((path) => join('src/commands', path))

/** The files of the command line. */
export const cliFiles = (): Map<string, string> => reachedFrom(['cli/main.ts', ...commands()])

/** Writes files as JavaScript below a folder, in the folders that they have here. */
function write(files: ReadonlyMap<string, string>, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  for (const [path, text] of files) {
    const to = join(folder, path.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(
      to,
      text.replace(IMPORTS, (whole) => whole.replace(/\.ts'$/, ".js'")),
    )
  }
}

function buildCli(): void {
  const dist = join(root, 'cli/dist')
  write(cliFiles(), dist)
  cpSync(join(root, 'cli/package.json'), join(dist, 'cli/package.json'))
  writeFileSync(join(dist, 'package.json'), '{ "type": "module" }\n')
}

helpIfAsked('node scripts/build-packages.ts [cli]: builds the packages that npm pack makes: the command line in cli/dist.')
const [which] = process.argv.slice(2)
if (process.argv[1] === import.meta.filename && (which === undefined || which === 'cli')) buildCli()
