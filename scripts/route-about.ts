import { resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const SENTENCE = /,\s*about:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")/g

/** A routes table without the sentences of its rows. */
export const withoutAbout = (code: string): string => code.replace(SENTENCE, '')

/**
 * Moves the routes table's descriptions of screens to `src/routing/about.ts`, which only the palette loads.
 * They would be two kilobytes of the first load. Throws if a row keeps its description.
 */
export function routeAbout(root = process.cwd()): Plugin {
  const routing = resolve(root, 'src/routing')
  return {
    name: 'fieldwork:route-about',
    apply: 'build',
    enforce: 'pre',
    async load(id) {
      if (id !== resolve(routing, 'about.ts')) return undefined
      const { about } = (await import(pathToFileURL(id).href)) as { about: Record<string, string> }
      return `export const about = ${JSON.stringify(about)}\n`
    },
    transform(code, id) {
      if (!id.startsWith(routing + sep) || id.endsWith(`${sep}about.ts`)) return null
      const left = withoutAbout(code)
      if (/\babout:\s*['"`]/.test(left)) throw new Error(`${id} has a sentence about a screen that can't be moved`)
      return left === code ? null : { code: left, map: null }
    },
  }
}
