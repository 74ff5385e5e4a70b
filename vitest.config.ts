import { existsSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { virtualCalls } from './scripts/virtual-calls.ts'

const engine = process.env.ENGINE ?? 'sqlite'
/** `npm run test:all` sets it. */
const whole = process.env.WHOLE === '1'

/** How requests are read, processes, files, and programs that only make calls: the same on both engines. */
const ON_SQLITE_ALONE = [
  'freeze',
  'trickle',
  'audit',
  'own-folder',
  'command-line',
  'cli-package',
  'mcp',
  'generated-clients',
].map((name) => `tests/api/${name}.test.ts`)

/**
 * TABLE  files about what depends on the engine, which `npm test` runs on PostgreSQL too; WHOLE=1 runs all.
 * Left out: how requests are read, who may what, and rules whose calls the files of the first line make, too.
 */
const ON_BOTH_ENGINES = [
  // Every read, write, undo and redo once, and the scope of every read.
  ...['contract', 'keyed', 'undo-commands', 'undo', 'restore', 'scope'],
  // Lists: collation, cursors, search, indexes, and what is kept until a trigger counts a change.
  ...[
    'paging',
    'cursor',
    'updated-since',
    'deletions',
    'updated-since-far',
    'updated-since-index',
    'list-search-index',
    'search-live',
  ],
  ...['folded-text', 'desk', 'error-codes'],
  ...['list-kept', 'figures-kept', 'index-kept', 'statements', 'user', 'team', 'view', 'export'],
  // Figures, dates and JSON, added up in SQL.
  ...['figures', 'family', 'responses', 'responses-compare', 'content-figures', 'runtime', 'entry-marks'],
  ...['partner-figures-index'],
  // Batches, which each engine writes in its own way.
  ...[
    'intake',
    'intake-rows',
    'correct',
    'import',
    'visit-intake',
    'visit-read',
    'visit-state',
    'visit-filter',
    'quota',
    'field-sessions',
  ],
  // Locks: what two do at once, and what jobs do meanwhile.
  ...['twice', 'attacked', 'quote-order', 'entry', 'payout', 'reward', 'job', 'names', 'partner-merge', 'removal'],
  ...['limits', 'clock', 'retention', 'growing', 'doctor', 'health-screen'],
  // Notifications between processes.
  ...['live', 'webhook', 'webhook-types', 'copies', 'many', 'demoted'],
  // The database itself: its schema, ids, files, copies and failures.
  ...[
    'migrate',
    'migrate-online',
    'release-before',
    'wide-ids',
    'seed',
    'backup',
    'damage',
    'signing-key',
    'request-id',
    'start',
  ],
  ...['away', 'failover', 'replica', 'disk'],
].map((name) => `tests/api/${name}.test.ts`)

for (const file of [...ON_SQLITE_ALONE, ...ON_BOTH_ENGINES])
  if (!existsSync(join(import.meta.dirname, file))) throw new Error(`vitest.config.ts names ${file}, which is missing.`)

/** The faults of `npm run torture` first meet the tests that call what they change. */
const executed = process.env.EXECUTED ? ['tests/torture/faults/executed.ts'] : []

export default defineConfig({
  plugins: [react({ jsxImportSource: '#jsx' }), virtualCalls()],
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.{ts,tsx}'],
          setupFiles: [...executed, 'tests/support/unit-file.ts'],
          // Some build the workspace, which takes seconds on a busy machine.
          testTimeout: 60_000,
          // The tables and the workspace load once for all files; one that needs them new calls `vi.resetModules()`.
          isolate: false,
        },
      },
      {
        test: {
          name: 'api',
          include: engine === 'postgres' && !whole ? ON_BOTH_ENGINES : ['tests/api/**/*.test.ts'],
          exclude: engine === 'postgres' ? ON_SQLITE_ALONE : [],
          env: { ENGINE: engine },
          globalSetup: ['tests/support/api-setup.ts'],
          setupFiles: [...executed, 'tests/support/api-file.ts'],
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
          name: 'engines',
          include: ['tests/engines/**/*.test.ts'],
          testTimeout: 60_000,
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
          setupFiles: [...executed, 'tests/support/screens-file.ts'],
          testTimeout: 30_000,
        },
      },
    ],
  },
})
