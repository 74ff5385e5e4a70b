/** A part of `npm test`: a script in node_modules, run by this Node with its arguments. */
export type Part = {
  name: string
  title: string
  program: string
  args: string[]
  /** The format of its report, vitest's or playwright's JSON; a plain check counts by its exit code. */
  report: 'vitest' | 'playwright' | 'none'
  lanes: 1 | 2
  after?: string[]
  env?: Record<string, string>
  postgres?: boolean
}

const vitest = { program: 'node_modules/vitest/vitest.mjs', report: 'vitest', lanes: 1 } as const
const api = [...['run', '--project', 'api'], '--maxWorkers=1']

/** TABLE  the parts of `npm test`. The longest start first, and the short ones run beside them. */
export const PARTS: Part[] = [
  { name: 'postgres', title: 'API on PostgreSQL', ...vitest, args: api, env: { ENGINE: 'postgres' }, postgres: true },
  { name: 'sqlite', title: 'API on SQLite', ...vitest, args: api, env: { ENGINE: 'sqlite' }, after: ['build'] },
  { name: 'build', title: 'workspace build', program: 'scripts/build.ts', args: [], report: 'none', lanes: 1 },
  {
    name: 'waiting',
    title: 'end-to-end tests that mostly wait',
    program: 'node_modules/@playwright/test/cli.js',
    args: ['test', '--project=waiting', '--workers=1'],
    report: 'playwright',
    lanes: 1,
    after: ['build'],
  },
  { name: 'types', title: 'types', program: 'node_modules/typescript/bin/tsc', args: ['-p', '.'], report: 'none', lanes: 1 },
  {
    name: 'lint',
    title: 'lint',
    program: 'node_modules/@biomejs/biome/bin/biome',
    args: ['check', '.'],
    report: 'none',
    lanes: 1,
  },
  {
    name: 'unused',
    title: 'unused exports, files and packages',
    program: 'node_modules/knip/bin/knip.js',
    args: [],
    report: 'none',
    lanes: 1,
  },
  { name: 'unit', title: 'unit and graph', ...vitest, args: ['run', '--project', 'unit', '--maxWorkers=1'] },
  {
    name: 'component',
    title: 'keys and palette on a fake api',
    program: 'node_modules/@playwright/test/cli.js',
    args: ['test', '--config=playwright.component.config.ts'],
    report: 'playwright',
    lanes: 2,
    after: ['build'],
  },
  {
    name: 'e2e',
    title: 'end-to-end and accessibility',
    program: 'node_modules/@playwright/test/cli.js',
    args: ['test', '--project=e2e'],
    report: 'playwright',
    lanes: 2,
    after: ['build'],
  },
]
