import { resolve } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Keeps two packages from adding style elements, which the server's `style-src 'self'` forbids.
 * src/ui/Toaster.tsx imports sonner's styles from its file; src/ui/styleSingleton.ts replaces Radix's.
 */
export function ownSheets(root = process.cwd()): Plugin {
  return {
    name: 'fieldwork:own-sheets',
    enforce: 'pre',
    resolveId: (id) => (id === 'react-style-singleton' ? resolve(root, 'src/ui/styleSingleton.ts') : undefined),
    transform(code, id) {
      if (!/[\\/]sonner[\\/]dist[\\/]index\.mjs$/.test(id.split('?')[0]!)) return undefined
      const without = code.replace(/^__insertCSS\(".*"\);$/m, '')
      // Another release may insert them differently, which needs a review before it ships.
      if (without === code) throw new Error('sonner no longer inserts its styles as scripts/own-sheets.ts expects.')
      return { code: without, map: null }
    },
  }
}
