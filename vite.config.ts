import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { virtualCalls } from './scripts/virtual-calls.ts'

const api = process.env.API_URL ?? 'http://127.0.0.1:4000'
const served = ['/v1', '/v3', '/auth', '/healthz', '/openapi.json', '/api-docs']

export default defineConfig({
  plugins: [react(), tailwindcss(), virtualCalls()],
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2023',
    manifest: true,
    // The server sends `script-src 'self'`: nothing inline, no data: fonts; every browser of the target preloads by itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      output: {
        // Who comes back after a release loads React and the other everyday parts from the browser's own store.
        codeSplitting: { groups: [{ name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ }] },
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
