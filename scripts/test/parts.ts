/** A part of `npm test`: a script in node_modules, run by this Node with its arguments. */
export type Part = {
  name: string
  title: string
  program: string
  args: string[]
  /** The format of its report, vitest's or playwright's JSON; a plain check counts by its exit code. */
  report: 'vitest' | 'playwright' | 'none'
  lanes: 1 | 2
  after?: readonly string[]
  env?: Record<string, string>
  postgres?: boolean
}

const vitest = { program: 'node_modules/vitest/vitest.mjs', report: 'vitest', lanes: 1 } as const
const api = [...['run', '--project', 'api'], '--maxWorkers=1']

const playwright = { program: 'node_modules/@playwright/test/cli.js', report: 'playwright', after: ['build'] } as const

const part = { report: 'none', lanes: 1 } as const

/**
 * TABLE  the parts of `npm test`, in the order in which they start as lanes become free.
 * Browser tests come last, alone: beside API tests on two cores they ran into their time limits.
 */
export const PARTS: Part[] = [
  { name: 'postgres', title: 'API on PostgreSQL', ...vitest, args: api, env: { ENGINE: 'postgres' }, postgres: true },
  { name: 'sqlite', title: 'API on SQLite', ...vitest, args: api, env: { ENGINE: 'sqlite' }, after: ['build'] },
  { name: 'build', title: 'workspace build', ...part, program: 'scripts/build.ts', args: [] },
  {
    name: 'waiting',
    title: 'end-to-end tests that mostly wait',
    ...playwright,
    args: ['test', '--project=waiting', '--workers=1'],
    lanes: 1,
  },
  // Takes longer than the three after it together, so `npm run check` starts with it.
  { name: 'unit', title: 'unit and graph', ...vitest, args: ['run', '--project', 'unit', '--maxWorkers=1'] },
  { name: 'types', title: 'types', ...part, program: 'node_modules/typescript/bin/tsc', args: ['-p', '.'] },
  { name: 'lint', title: 'lint', ...part, program: 'node_modules/@biomejs/biome/bin/biome', args: ['check', '.'] },
  {
    name: 'unused',
    title: 'unused exports, files and packages',
    ...part,
    program: 'node_modules/knip/bin/knip.js',
    args: ['--cache', '--cache-location', '.cache/knip'],
  },
  {
    name: 'component',
    title: 'keys and palette on a fake api',
    ...playwright,
    args: ['test', '--config=playwright.component.config.ts'],
    lanes: 2,
  },
  { name: 'e2e', title: 'end-to-end and accessibility', ...playwright, args: ['test', '--project=e2e'], lanes: 2 },
]
