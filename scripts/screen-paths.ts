import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

/** Writes the addresses of all screens for the server, which tells them from unknown ones (server/http/web.ts). */
export const screenPaths = (root = process.cwd()): Plugin => ({
  name: 'fieldwork:screen-paths',
  apply: 'build',
  async generateBundle() {
    const { screenPatterns } = (await import(pathToFileURL(resolve(root, 'src/routing/match.ts')).href)) as {
      screenPatterns: () => string[]
    }
    this.emitFile({ type: 'asset', fileName: '.vite/screens.json', source: JSON.stringify(screenPatterns()) })
  },
})
