import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type PluginOption } from 'vite'
import { BROWSERS } from './browsers.ts'

/**
 * Builds a page beside the workspace, into one script of its own.
 * Shared chunks would bring parts of the workspace to a visitor's phone, and make its own first load larger.
 */
export const standalonePage = (input: string, plugins: PluginOption[] = []) =>
  defineConfig({
    plugins: [react({ jsxImportSource: '#jsx' }), tailwindcss(), ...plugins],
    publicDir: false,
    build: {
      outDir: 'dist/web',
      emptyOutDir: false,
      target: BROWSERS,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { input },
    },
  })
