import { relative } from 'node:path'
import type { Plugin } from 'vite'

/** A script of a build: its file, what it is for, and its modules by length before minification, longest first. */
export interface BuiltScript {
  file: string
  /** The group's name, or the module it loads for; for shared scripts, their longest module. */
  home: string
  modules: readonly (readonly [module: string, length: number])[]
}

/** Writes the contents of each built script to `.vite/weights.json`, for the tests of weight by area. */
export function weights(root = process.cwd()): Plugin {
  const named = (id: string) =>
    relative(root, id.replace(/^\0/, '').replace(/\?.*$/, ''))
      .replace(/^.*?(?=node_modules\/)/, '')
      .replace(/^(\.\.\/)+/, '')
  return {
    name: 'fieldwork:weights',
    apply: 'build',
    generateBundle(_options, bundle) {
      const scripts = Object.values(bundle).flatMap((part): BuiltScript[] => {
        if (part.type !== 'chunk') return []
        const modules = Object.entries(part.modules)
          .map(([id, { renderedLength }]) => [named(id), renderedLength] as const)
          .filter(([, length]) => length > 0)
          .sort((a, b) => b[1] - a[1])
        const home = part.facadeModuleId ? named(part.facadeModuleId) : (modules[0]?.[0] ?? part.name)
        return [{ file: part.fileName, home: GROUPS.test(part.name) ? part.name : home, modules }]
      })
      this.emitFile({ type: 'asset', fileName: '.vite/weights.json', source: JSON.stringify(scripts) })
    },
  }
}

/** Scripts that vite.config.ts groups by name. */
const GROUPS = /^(react|base|workspace|words|fields|area-\w+)$/
