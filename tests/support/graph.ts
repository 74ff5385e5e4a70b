import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

// Several tests read every file; those of one worker read it once.
const texts = new Map<string, string>()
const folders = new Map<string, readonly string[]>()

/** A file's text, by its path in the repository. */
export function sourceOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8')
  texts.set(file, text)
  return text
}

/** The TypeScript files in a folder, by their paths in the repository, without what npm installs. */
export function sourcesOf(folder: string): string[] {
  const files = folders.get(folder) ?? filesIn(folder)
  folders.set(folder, files)
  return [...files]
}

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts') && !name.includes('node_modules/'))
    .map((name) => `${folder}/${name}`)
    .sort()

/** The files of cli/, contract/, server/ and src/ by path, each with its imports. */
export type Graph = ReadonlyMap<string, readonly string[]>

/**
 * Returns the known files that a file imports; throws at a path to no file.
 * Every quoted relative path counts: values, types, `import()`, worker urls, folders and patterns (`'./people/*.ts'`).
 */
export function importsOf(file: string, text: string, known: ReadonlySet<string>): string[] {
  const named = [...text.matchAll(/(['"`])(\.\.?\/[^'"`\n?]*)(?:\?[^'"`\n]*)?\1/g)]
  const found = named.flatMap(([, , path]) => {
    const target = posix.join(dirname(file), path!)
    if (known.has(target)) return [target]
    const whole = /^(.*\/)(?:\*\.tsx?)?$/.exec(target)
    if (whole) return [...known].filter((one) => `${dirname(one)}/` === whole[1])
    if (/\.tsx?$/.test(target) && !existsSync(join(root, target))) throw new Error(`${file} imports ${path}, which doesn't exist`)
    return []
  })
  return [...new Set(found)].filter((one) => one !== file).sort()
}

/** The import graph, read from the sources. */
export function importGraph(): Graph {
  const files = ['cli', 'verbs', 'contract', 'server', 'src'].flatMap(sourcesOf).sort()
  const known = new Set(files)
  return new Map(files.map((file) => [file, importsOf(file, sourceOf(file), known)]))
}

/** Cycles as sets of files that reach each other (Tarjan's strongly connected components), largest first. */
export function cyclesOf(graph: Graph): string[][] {
  const index = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (file: string): number => {
    const at = index.size
    let low = at
    index.set(file, at)
    stack.push(file)
    for (const next of graph.get(file)!) {
      if (!index.has(next)) low = Math.min(low, visit(next))
      else if (stack.includes(next)) low = Math.min(low, lowest.get(next) ?? index.get(next)!)
    }
    lowest.set(file, low)
    if (low === at) {
      const cycle = stack.splice(stack.indexOf(file))
      if (cycle.length > 1 || graph.get(file)!.includes(file)) cycles.push(cycle.sort())
    }
    return low
  }
  for (const file of graph.keys()) if (!index.has(file)) visit(file)
  return cycles.sort((a, b) => b.length - a.length)
}

/**
 * A side's folders from lowest to highest; those in one step never import each other.
 * The side's own top-level files belong to `main`, or are named.
 */
export type Order = readonly (readonly string[])[]

/** A file's step in the order and its folder; step -1 if it has none. */
export function placeOf(file: string, order: Order): { step: number; folder: string } {
  const [, first = '', ...rest] = file.split('/')
  const folder = rest.length || order.some((step) => step.includes(first)) ? first : 'main'
  return { step: order.findIndex((step) => step.includes(folder)), folder }
}

/** Imports within a side that go up, or to another folder of the same step, as `from → to`. */
export function upwardOf(graph: Graph, side: string, order: Order): string[] {
  const own = [...graph.keys()].filter((file) => file.startsWith(`${side}/`))
  return own.flatMap((file) => {
    const here = placeOf(file, order)
    return graph.get(file)!.flatMap((target) => {
      if (!target.startsWith(`${side}/`)) return []
      const there = placeOf(target, order)
      return there.step > here.step || (there.step === here.step && there.folder !== here.folder) ? [`${file} → ${target}`] : []
    })
  })
}
