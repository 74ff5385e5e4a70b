import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { virtualCalls } from './scripts/virtual-calls.ts'

export default defineConfig({
  plugins: [react(), virtualCalls()],
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/unit/**/*.test.{ts,tsx}'] } },
      {
        test: {
          name: 'api',
          include: ['tests/api/**/*.test.ts'],
          env: { ENGINE: process.env.ENGINE ?? 'sqlite' },
          globalSetup: ['tests/support/api-setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
          // Each file has a database and a server of its own; the modules of the server are read once for all files of a worker.
          isolate: false,
        },
      },
    ],
  },
})
