import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import manifest from './package.json' with { type: 'json' }
import { BROWSERS } from './scripts/browsers.ts'
import { fieldWords } from './scripts/field-words.ts'
import { ownSheets } from './scripts/own-sheets.ts'
import { routeAbout } from './scripts/route-about.ts'
import { screenPaths } from './scripts/screen-paths.ts'
import { virtualCalls } from './scripts/virtual-calls.ts'
import { weights } from './scripts/weights.ts'

const api = process.env.API_URL ?? 'http://127.0.0.1:4000'
const served = ['/v1', '/v3/portal', '/v3/rewards/redeem/file', '/auth', '/healthz', '/openapi.json', '/api-docs', '/.well-known']

/** Keeps MapLibre's worker, whose package says that importing it does nothing, though it does everything then. */
const mapWorker = (): Plugin => ({
  name: 'fieldwork:map-worker',
  transform: (code, id) => (id.endsWith('/maplibre-gl-worker.mjs') ? { code, map: null, moduleSideEffects: true } : undefined),
})

/**
 * A script of its own reads the session and the first screen while the others load (src/data/readEarly.ts).
 * The workspace's scripts are fetched beside those that lead to it, but after what a public page needs.
 */
const readEarly = (): Plugin => ({
  name: 'fieldwork:read-early',
  buildStart() {
    if (this.environment.mode === 'build') this.emitFile({ type: 'chunk', id: 'src/data/readEarly.ts', name: 'readEarly' })
  },
  transformIndexHtml(_html, { bundle }) {
    const chunk = (name: string) => Object.values(bundle ?? {}).find((part) => part.type === 'chunk' && part.name === name)
    const early = chunk('readEarly')
    const workspace = chunk('workspace')
    const src = early ? `/${early.fileName}` : '/src/data/readEarly.ts'
    const preload = workspace && { rel: 'modulepreload', crossorigin: true, fetchpriority: 'low', href: `/${workspace.fileName}` }
    return [
      { tag: 'script', attrs: { type: 'module', async: true, crossorigin: true, src }, injectTo: 'head-prepend' as const },
      ...(preload ? [{ tag: 'link', attrs: preload, injectTo: 'head' as const }] : []),
    ]
  },
})

export default defineConfig({
  define: { 'import.meta.env.RELEASE': JSON.stringify(manifest.version) },
  plugins: [
    readEarly(),
    react({ jsxImportSource: '#jsx' }),
    tailwindcss(),
    virtualCalls(),
    routeAbout(),
    fieldWords(),
    screenPaths(),
    ownSheets(),
    weights(),
  ],
  // Replaces shims for React 17, because our React has what wouter and SWR need.
  resolve: { alias: [{ find: /^(\.\/react-deps\.js|use-sync-external-store\/shim(\/index\.js)?)$/, replacement: 'react' }] },
  worker: { plugins: () => [mapWorker()] },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: BROWSERS,
    manifest: true,
    // The server sends `script-src 'self'`, so no inline scripts and data: fonts; target browsers preload natively.
    assetsInlineLimit: 0,
    // Only screens that links often lead to preload their imports: the lists of all would be a kilobyte more at first.
    // The other screens are fetched while the page is idle (src/workspace/preload.ts); styles always come along.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, deps, { hostType }) =>
        hostType === 'html' || /\/(ProjectPane|SurveyProjectPane|ClientsPane|LoginPane|Palette|area-\w+)-/.test(file)
          ? deps
          : deps.filter((dep) => dep.endsWith('.css')),
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      output: {
        // After a release, returning browsers still have React cached.
        // Two chunks instead of forty save round trips for the first screen, and compress an eighth smaller.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 3 },
            { name: 'base', test: /[\\/]src[\\/]App\.tsx$/, priority: 2 },
            // Most people start with the projects' lists: in this chunk they save a request and compress better.
            {
              name: 'workspace',
              test: /[\\/]src[\\/](shell[\\/]Workspace|list[\\/]ListScreen|panes[\\/]project[\\/]ProjectsPane)\.tsx$/,
              priority: 1,
            },
            // What areas, runner and forms share.
            {
              name: 'words',
              test: /[\\/](src[\\/]commands[\\/](words|commandsIn)|src[\\/]ui[\\/]wait|contract[\\/](messages|vocabulary|activityRules|contentWords))\.ts$/,
              priority: 1,
            },
            // The tables of fields, for forms and the questions of all areas.
            { name: 'fields', test: /[\\/](src[\\/]commands[\\/]fieldAsks|contract[\\/]fieldKinds)\.ts$/, priority: 1 },
            // One chunk for each area, even if others import its files.
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
