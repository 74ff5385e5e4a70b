import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { virtualCalls } from './scripts/virtual-calls.ts'

const engine = process.env.ENGINE ?? 'sqlite'

/** How requests are read, processes, files, and programs that only make calls: the same on both engines. */
const ON_SQLITE_ALONE = ['freeze', 'trickle', 'audit', 'own-folder', 'command-line', 'mcp', 'generated-clients'].map(
  (name) => `tests/api/${name}.test.ts`,
)

export default defineConfig({
  plugins: [react(), virtualCalls()],
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.{ts,tsx}'],
          setupFiles: ['tests/support/unit-file.ts'],
          // Some build the workspace, which takes seconds on a busy machine.
          testTimeout: 60_000,
          // The tables and the workspace load once for all files; one that needs them new calls `vi.resetModules()`.
          isolate: false,
        },
      },
      {
        test: {
          name: 'api',
          include: ['tests/api/**/*.test.ts'],
          exclude: engine === 'postgres' ? ON_SQLITE_ALONE : [],
          env: { ENGINE: engine },
          globalSetup: ['tests/support/api-setup.ts'],
          setupFiles: ['tests/support/api-file.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
          // A usual second depends on the machine, so polls wait longer.
          expect: { poll: { timeout: 15_000 } },
          // Each file has its own database and server; the server's modules load once for all files of a worker.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'screens',
          include: ['tests/screens/**/*.test.tsx'],
          // Quicker than jsdom here (0.6 of its processor time), and has what the workspace uses.
          environment: 'happy-dom',
          // Both keep state, which each test begins without.
          server: { deps: { inline: ['swr', 'sonner'] } },
          setupFiles: ['tests/support/screens-file.ts'],
          testTimeout: 30_000,
        },
      },
    ],
  },
})
