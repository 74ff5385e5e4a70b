import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { ownSheets } from './scripts/own-sheets.ts'
import { virtualCalls } from './scripts/virtual-calls.ts'
import { weights } from './scripts/weights.ts'

const api = process.env.API_URL ?? 'http://127.0.0.1:4000'
const served = ['/v1', '/v3/portal', '/v3/rewards/redeem/file', '/auth', '/healthz', '/openapi.json', '/api-docs']

export default defineConfig({
  plugins: [react(), tailwindcss(), virtualCalls(), ownSheets(), weights()],
  // wouter and SWR bring what React 17 lacked; the React we have does it itself.
  resolve: { alias: [{ find: /^(\.\/react-deps\.js|use-sync-external-store\/shim(\/index\.js)?)$/, replacement: 'react' }] },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2023',
    manifest: true,
    // The server sends `script-src 'self'`: nothing inline, no data: fonts; every browser of the target preloads by itself.
    assetsInlineLimit: 0,
    // A screen's own imports are asked for together with it only for the screens that links lead to most: the lists of them are a kilobyte of
    // the first load, and the other screens are fetched while the page is idle (src/workspace/preload.ts). Styles always come along.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, deps) =>
        /\/(ProjectPane|SurveyProjectPane|ClientsPane|LoginPane|Palette|area-\w+)-/.test(file)
          ? deps
          : deps.filter((dep) => dep.endsWith('.css')),
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      output: {
        // Who comes back after a release loads React from the browser's own store. What the first screen needs is two chunks, not forty:
        // fewer requests one after another, and together they pack an eighth smaller.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 3 },
            { name: 'base', test: /[\\/]src[\\/]App\.tsx$/, priority: 2 },
            // The projects' lists are what most people open with: with the workspace they are one request less, and pack better.
            {
              name: 'workspace',
              test: /[\\/]src[\\/](shell[\\/]Workspace|list[\\/]ListScreen|panes[\\/]project[\\/]ProjectsPane)\.tsx$/,
              priority: 1,
            },
            // What the areas, the runner and the forms have in common.
            {
              name: 'words',
              test: /[\\/](src[\\/]commands[\\/](words|commandsIn)|contract[\\/](messages|vocabulary))\.ts$/,
              priority: 1,
            },
            // One chunk an area, whatever else names one of its files.
            {
              name: (id) => `area-${/([^\\/]+)\.ts$/.exec(id)![1]}`,
              test: /[\\/]src[\\/]commands[\\/]areas[\\/]\w+\.ts$/,
              priority: 0,
              debugName: 'areas',
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: Number(process.env.WEB_PORT ?? 5173),
    strictPort: process.env.WEB_PORT !== undefined,
    proxy: Object.fromEntries(
      served.map((path) => [`^${path.replace('.', '\\.')}(/|\\?|$)`, { target: api, changeOrigin: false }]),
    ),
  },
})
