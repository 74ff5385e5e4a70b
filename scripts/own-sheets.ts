import { resolve } from 'node:path'
import type { Plugin } from 'vite'

/**
 * The server sends `style-src 'self'`, which forbids style elements. Two packages would add some: sonner, whose styles
 * src/ui/Toaster.tsx imports from its file instead, and react-style-singleton (Radix's scroll lock), which
 * src/ui/sheets.ts replaces.
 */
export function ownSheets(root = process.cwd()): Plugin {
  return {
    name: 'fieldwork:own-sheets',
    enforce: 'pre',
    resolveId: (id) => (id === 'react-style-singleton' ? resolve(root, 'src/ui/sheets.ts') : undefined),
    transform(code, id) {
      if (!/[\\/]sonner[\\/]dist[\\/]index\.mjs$/.test(id.split('?')[0]!)) return undefined
      const without = code.replace(/^__insertCSS\(".*"\);$/m, '')
      // Another release may do it another way: then it must be looked at, not shipped.
      if (without === code) throw new Error('sonner no longer inserts its styles as scripts/own-sheets.ts expects.')
      return { code: without, map: null }
    },
  }
}
