import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { virtualCalls } from './scripts/virtual-calls.ts'

const engine = process.env.ENGINE ?? 'sqlite'

/** How a server reads what comes, before any of it is asked of a database: the same on both engines, and tried on one. */
const ON_SQLITE_ALONE = ['tests/api/freeze.test.ts', 'tests/api/trickle.test.ts', 'tests/api/audit.test.ts']

export default defineConfig({
  plugins: [react(), virtualCalls()],
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/unit/**/*.test.{ts,tsx}'] } },
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
          // What is waited for comes when it does: a second, which is usual, is a measure of the machine.
          expect: { poll: { timeout: 15_000 } },
          // Each file has a database and a server of its own; the modules of the server are read once for all files of a worker.
          isolate: false,
        },
      },
    ],
  },
})
