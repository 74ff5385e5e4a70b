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
  /** Programs that it needs, with the Debian package of each: without one, it says loudly that it didn't run. */
  needs?: Readonly<Record<string, string>>
  /** What `npm test` leaves to `npm run test:all`: the whole part, or the browser tests without the tag `@quick`. */
  later?: 'all' | 'some'
}

const vitest = { program: 'node_modules/vitest/vitest.mjs', report: 'vitest', lanes: 1 } as const
const api = (workers: number) => ['run', '--project', 'api', `--maxWorkers=${workers}`]

const playwright = {
  program: 'node_modules/@playwright/test/cli.js',
  report: 'playwright',
  after: ['build'],
  later: 'some',
} as const

const engine = { ...vitest, args: ['run', '--project', 'engines'], after: ['build'], later: 'all' as const }

const part = { report: 'none', lanes: 1 } as const
/** A warm cache takes a third of the time. */
const KNIP = ['--cache', '--cache-location', '.cache/knip']
const torture = { ...part, program: 'scripts/torture.ts', after: ['build'], later: 'all' } as const

/**
 * TABLE  the parts of `npm test` and `npm run test:all`, in the order in which they start as lanes become free.
 * Browser tests come last: beside the API tests on SQLite they ran into their time limits.
 */
const PARTS: Part[] = [
  { name: 'build', title: 'workspace build', ...part, program: 'scripts/build.ts', args: [] },
  // Takes longest of the four, so `npm run check` starts with it.
  { name: 'unit', title: 'unit and graph', ...vitest, args: ['run', '--project', 'unit', '--maxWorkers=1'] },
  { name: 'types', title: 'types', ...part, program: 'node_modules/typescript/bin/tsc', args: ['-p', '.'] },
  // Lasts longest and waits most, so it starts first and fills what the others leave.
  {
    name: 'postgres',
    title: 'API on PostgreSQL',
    ...vitest,
    args: api(1),
    env: { ENGINE: 'postgres' },
    after: ['build'],
    postgres: true,
  },
  { name: 'lint', title: 'lint', ...part, program: 'node_modules/@biomejs/biome/bin/biome', args: ['check', '.'] },
  { name: 'unused', title: 'unused exports, files and packages', ...part, program: 'node_modules/knip/bin/knip.js', args: KNIP },
  {
    name: 'sqlite',
    title: 'API on SQLite',
    ...vitest,
    args: api(2),
    // A third of all work: by one worker it lasted until long after everything beside it.
    lanes: 2,
    env: { ENGINE: 'sqlite' },
    after: ['build'],
  },
  {
    name: 'component',
    title: 'keys and palette on a small marketplace',
    ...playwright,
    args: ['test', '--config=playwright.component.config.ts'],
    lanes: 2,
  },
  {
    name: 'waiting',
    title: 'end-to-end tests that mostly wait',
    ...playwright,
    args: ['test', '--project=waiting', '--workers=1'],
    lanes: 1,
  },
  { name: 'e2e', title: 'end-to-end and accessibility', ...playwright, args: ['test', '--project=e2e'], lanes: 2 },
  // Fills what end-to-end tests leave of the processor while they wait.
  { name: 'screens', title: 'screens without a browser', ...vitest, args: ['run', '--project', 'screens', '--maxWorkers=1'] },
  {
    name: 'firefox',
    title: 'twelve scenarios in Firefox',
    ...engine,
    env: { BROWSER: 'firefox' },
    needs: { 'firefox-esr': 'firefox-esr' },
  },
  {
    name: 'webkit',
    title: 'twelve scenarios in WebKit',
    ...engine,
    env: { BROWSER: 'webkit' },
    needs: { WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb' },
  },
  { name: 'torture-input', title: 'torture: input', ...torture, args: ['input', '--requests', '5000'] },
  { name: 'torture-crash', title: 'torture: crash', ...torture, args: ['crash', '--rounds', '4'] },
  { name: 'torture-webhooks', title: 'torture: webhooks', ...torture, args: ['webhooks', '--rounds', '2'] },
  { name: 'torture-tokens', title: 'torture: tokens', ...torture, args: ['tokens', '--requests', '1000', '--rounds', '5'] },
  { name: 'torture-search', title: 'torture: search', ...torture, args: ['search', '--worlds', '2'] },
]

/** The parts of `npm test`, or of `npm run test:all` if `whole`. */
export function partsOf(whole: boolean): Part[] {
  if (whole) return PARTS.map((part) => ({ ...part, env: { ...part.env, WHOLE: '1' } }))
  return PARTS.filter(({ later }) => later !== 'all').map((part) =>
    part.later ? { ...part, args: [...part.args, '--grep', '@quick'] } : part,
  )
}
