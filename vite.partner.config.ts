import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { virtualCalls } from './scripts/virtual-calls.ts'

/**
 * Builds the partners' pages beside the workspace, into one script of their own.
 * Shared chunks would bring parts of the workspace to a partner's phone, and make its own first load larger.
 */
export default defineConfig({
  plugins: [react(), tailwindcss(), virtualCalls()],
  publicDir: false,
  build: {
    outDir: 'dist/web',
    emptyOutDir: false,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: 'partner.html' },
  },
})
